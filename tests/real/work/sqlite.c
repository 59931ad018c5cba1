/* SPDX-License-Identifier: MIT */
/* sqlite.c: a deterministic workload through SQLite's C interface: `sqlite DATABASE ROWS`. Prints what it finds. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sqlite3.h"

static sqlite3 *db;

static int print_row(void *unused, int n, char **value, char **name)
{
    for (int i = 0; i < n; i++)
        printf("%s%s", i ? "|" : "", value[i] ? value[i] : "NULL");
    putchar('\n');
    return 0;
}

static void run(const char *sql)
{
    char *error = NULL;
    if (sqlite3_exec(db, sql, print_row, NULL, &error))
        printf("error: %s\n", error);
    sqlite3_free(error);
}

static unsigned next_random(void)
{
    static unsigned state = 12345;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void fill(int rows)
{
    static const char *const word[] = { "amber", "basalt", "cobalt", "dolomite", "emerald", "feldspar", "garnet" };
    sqlite3_stmt *insert;
    run("BEGIN");
    sqlite3_prepare_v2(db, "INSERT INTO stone VALUES(?,?,?,?,?)", -1, &insert, NULL);
    for (int i = 1; i <= rows; i++) {
        char text[80];
        const char *first = word[next_random() % 7], *second = word[next_random() % 7];
        snprintf(text, sizeof text, "%s %s %u", first, second, next_random() % 1000);
        sqlite3_bind_int(insert, 1, i);
        sqlite3_bind_text(insert, 2, text, -1, SQLITE_TRANSIENT);
        sqlite3_bind_double(insert, 3, next_random() % 10000 / 16.0);
        sqlite3_bind_int(insert, 4, (int)(next_random() % 50));
        sqlite3_bind_blob(insert, 5, text, (int)(next_random() % 20), SQLITE_TRANSIENT);
        if (sqlite3_step(insert) != SQLITE_DONE)
            printf("insert %d: %s\n", i, sqlite3_errmsg(db));
        sqlite3_reset(insert);
    }
    sqlite3_finalize(insert);
    run("COMMIT");
}

int main(int argc, char **argv)
{
    if (argc != 3 || sqlite3_open(argv[1], &db))
        return 2;
    int rows = atoi(argv[2]);
    run("PRAGMA page_size=1024; PRAGMA cache_size=200; PRAGMA synchronous=OFF");
    run("CREATE TABLE stone(id INTEGER PRIMARY KEY, name TEXT, weight REAL, place INT, mark BLOB);"
        "CREATE TABLE place(id INTEGER PRIMARY KEY, name TEXT UNIQUE, parent INT);"
        "CREATE TABLE log(what TEXT, n INT, CHECK(n >= 0));"
        "CREATE TRIGGER note AFTER DELETE ON stone BEGIN INSERT INTO log VALUES('deleted', old.id); END;"
        "CREATE VIEW heavy AS SELECT s.name, s.weight, p.name AS place FROM stone s JOIN place p ON p.id = s.place WHERE s.weight > 500");
    fill(rows);
    run("WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 49) INSERT INTO place SELECT i, 'place ' || i, i / 2 FROM n");
    run("SELECT count(*), sum(weight), min(name), max(name) FROM stone");
    run("SELECT place, count(*), avg(weight) FROM stone GROUP BY place HAVING count(*) > 5 ORDER BY 2 DESC, 1 LIMIT 7");
    run("CREATE INDEX stone_name ON stone(name, weight); CREATE INDEX stone_place ON stone(place) WHERE weight > 100; ANALYZE");
    run("SELECT name, weight FROM stone WHERE name BETWEEN 'cobalt' AND 'cobalt d' ORDER BY weight LIMIT 5");
    run("SELECT h.place, count(*) FROM heavy h WHERE h.name LIKE '%garnet%' GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT 5");
    run("SELECT a.name, b.name FROM place a LEFT JOIN place b ON b.id = a.parent AND b.id % 3 = 0 ORDER BY a.id LIMIT 6");
    run("SELECT id, rank() OVER (PARTITION BY place ORDER BY weight DESC) AS r, sum(weight) OVER (PARTITION BY place ORDER BY id ROWS 2 PRECEDING)"
        " FROM stone WHERE place < 2 ORDER BY place, r LIMIT 8");
    run("UPDATE stone SET weight = weight * 1.5, name = upper(name) WHERE id % 7 = 0; SELECT total_changes()");
    run("DELETE FROM stone WHERE place IN (SELECT id FROM place WHERE parent > 20 AND name LIKE '%4%'); SELECT count(*) FROM log");
    run("INSERT INTO place VALUES(99, 'place 3', 0)");
    run("INSERT INTO log VALUES('negative', -1)");
    run("SELECT nothing FROM nowhere");
    run("SELECT 'half a string");
    run("SAVEPOINT s; INSERT INTO log VALUES('lost', 1); ROLLBACK TO s; RELEASE s; SELECT count(*) FROM log WHERE what = 'lost'");
    run("SELECT substr(name, 1, 3), hex(mark), typeof(weight), coalesce(NULL, id), round(weight / 3, 2), printf('%05d|%.3f', id, weight) FROM stone WHERE id < 4");
    run("SELECT json_extract('{\"a\":[1,2,{\"b\":3}]}', '$.a[2].b'), json_group_array(id) FROM place WHERE id < 5");
    run("SELECT date('2001-02-28', '+1 day'), strftime('%j', '2004-12-31'), julianday('2000-01-01')");
    run("SELECT count(*) FROM (SELECT name FROM stone EXCEPT SELECT upper(name) FROM stone) AS u");
    run("PRAGMA integrity_check; VACUUM; SELECT count(*) FROM stone; EXPLAIN QUERY PLAN SELECT * FROM heavy WHERE name = 'x'");
    sqlite3_close(db);
    return 0;
}
