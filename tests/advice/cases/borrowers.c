/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: queries */
/* libraries: -lsqlite3 */
/* least: 50 */
/* borrowers.c: loans are in an array, and the name of each borrower is asked of a database on disk, one by one. The
 * twin asks within one transaction. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define BORROWERS 3000u

static void must(int status, sqlite3 *db)
{
    if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW) {
        fprintf(stderr, "borrowers: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static void borrowers_fill(sqlite3 *db)
{
    sqlite3_stmt *into;
    must(sqlite3_exec(db, "begin; create table borrower (id integer primary key, name text)", NULL, NULL, NULL), db);
    must(sqlite3_prepare_v2(db, "insert into borrower values (?, ?)", -1, &into, NULL), db);
    for (unsigned i = 0; i < BORROWERS; i++) {
        char name[32];
        snprintf(name, sizeof name, "borrower %u", i * 7);
        sqlite3_bind_int(into, 1, (int)i);
        sqlite3_bind_text(into, 2, name, -1, SQLITE_TRANSIENT);
        must(sqlite3_step(into), db);
        must(sqlite3_reset(into), db);
    }
    sqlite3_finalize(into);
    must(sqlite3_exec(db, "commit", NULL, NULL, NULL), db);
}

static uint64_t borrower_add(sqlite3 *db, sqlite3_stmt *find, unsigned borrower, uint64_t sum)
{
    sqlite3_bind_int(find, 1, (int)borrower);
    must(sqlite3_step(find), db); /* @ */
    for (const unsigned char *name = sqlite3_column_text(find, 0); *name; name++)
        sum = (sum ^ *name) * 1099511628211u;
    must(sqlite3_reset(find), db); /* @ */
    return sum;
}

int main(int argc, char **argv)
{
    unsigned loans = (unsigned)(40000 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "borrowers-XXXXXX";
    int fd = mkstemp(path);
    sqlite3 *db;
    sqlite3_stmt *find;
    uint64_t sum = 1, work = 1;
    if (fd < 0 || sqlite3_open(path, &db) != SQLITE_OK)
        return 1;
    borrowers_fill(db);
    must(sqlite3_prepare_v2(db, "select name from borrower where id = ?", -1, &find, NULL), db);
#ifdef FIXED
    must(sqlite3_exec(db, "begin", NULL, NULL, NULL), db);
#endif
    for (unsigned i = 0; i < loans; i++)
        sum = borrower_add(db, find, i * 2654435761u % BORROWERS, sum);
#ifdef FIXED
    must(sqlite3_exec(db, "commit", NULL, NULL, NULL), db);
#endif
    for (unsigned i = 0; i < 600 * loans; i++)
        work = work * 6364136223846793005u + (work >> 33);
    printf("%llu %llu\n", (unsigned long long)sum, (unsigned long long)work);
    sqlite3_finalize(find);
    sqlite3_close(db);
    close(fd);
    unlink(path);
    return 0;
}
