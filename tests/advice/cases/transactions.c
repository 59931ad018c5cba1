/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -lsqlite3 */
/* transactions.c: borrowed books are noted in a database on disk. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static void must(int status, sqlite3 *db)
{
    if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW) {
        fprintf(stderr, "loans: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static void loan_note(sqlite3 *db, sqlite3_stmt *into, uint32_t number)
{
    sqlite3_bind_int(into, 1, (int)number);
    sqlite3_bind_int(into, 2, (int)(number * 2654435761u >> 20));
    must(sqlite3_step(into), db); /* @ */
    must(sqlite3_reset(into), db);
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(150 * (argc > 1 ? atof(argv[1]) : 1));
    char path[] = "loans-XXXXXX";
    int fd = mkstemp(path);
    sqlite3 *db;
    sqlite3_stmt *into, *from;
    if (fd < 0 || sqlite3_open(path, &db) != SQLITE_OK)
        return 1;
    must(sqlite3_exec(db, "create table loan (number integer primary key, book integer)", NULL, NULL, NULL), db);
    must(sqlite3_prepare_v2(db, "insert into loan values (?, ?)", -1, &into, NULL), db);
#ifdef FIXED
    must(sqlite3_exec(db, "begin", NULL, NULL, NULL), db);
#endif
    for (uint32_t i = 1; i <= count; i++)
        loan_note(db, into, i);
#ifdef FIXED
    must(sqlite3_exec(db, "commit", NULL, NULL, NULL), db);
#endif
    must(sqlite3_prepare_v2(db, "select count(*), sum(book) from loan", -1, &from, NULL), db);
    must(sqlite3_step(from), db);
    printf("%d loans, %lld\n", sqlite3_column_int(from, 0), (long long)sqlite3_column_int64(from, 1));
    sqlite3_finalize(into);
    sqlite3_finalize(from);
    sqlite3_close(db);
    close(fd);
    unlink(path);
    return 0;
}
