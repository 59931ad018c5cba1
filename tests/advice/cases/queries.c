/* SPDX-License-Identifier: MIT */
/* sizes: 0.6 1 3 */
/* libraries: -lsqlite3 */
/* queries.c: the members of a choir and the voices that they sing, from a database in memory. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static void must(int status, sqlite3 *db)
{
    if (status != SQLITE_OK && status != SQLITE_DONE && status != SQLITE_ROW) {
        fprintf(stderr, "choir: %s\n", sqlite3_errmsg(db));
        exit(1);
    }
}

static void choir_make(sqlite3 *db, int count)
{
    sqlite3_stmt *into;
    must(sqlite3_exec(db, "create table voice (id integer primary key, low integer, high integer)", NULL, NULL, NULL), db);
    must(sqlite3_exec(db, "create table member (id integer primary key, voice integer, age integer)", NULL, NULL, NULL), db);
    must(sqlite3_exec(db, "begin", NULL, NULL, NULL), db);
    must(sqlite3_prepare_v2(db, "insert into voice values (?, ?, ?)", -1, &into, NULL), db);
    for (int i = 0; i < 200; i++) {
        sqlite3_bind_int(into, 1, i);
        sqlite3_bind_int(into, 2, 40 + i % 30);
        sqlite3_bind_int(into, 3, 60 + i % 25);
        must(sqlite3_step(into), db);
        must(sqlite3_reset(into), db);
    }
    sqlite3_finalize(into);
    must(sqlite3_prepare_v2(db, "insert into member values (?, ?, ?)", -1, &into, NULL), db);
    for (int i = 0; i < count; i++) {
        sqlite3_bind_int(into, 1, i);
        sqlite3_bind_int(into, 2, i * 7 % 200);
        sqlite3_bind_int(into, 3, 8 + i % 70);
        must(sqlite3_step(into), db);
        must(sqlite3_reset(into), db);
    }
    sqlite3_finalize(into);
    must(sqlite3_exec(db, "commit", NULL, NULL, NULL), db);
}

static long range_sum(sqlite3 *db)
{
    long sum = 0;
#ifndef FIXED
    sqlite3_stmt *member, *voice;
    must(sqlite3_prepare_v2(db, "select voice, age from member order by id", -1, &member, NULL), db);
    while (sqlite3_step(member) == SQLITE_ROW) {
        must(sqlite3_prepare_v2(db, "select low, high from voice where id = ?", -1, &voice, NULL), db); /* @ */
        sqlite3_bind_int(voice, 1, sqlite3_column_int(member, 0));
        must(sqlite3_step(voice), db); /* @ */
        sum += (sqlite3_column_int(voice, 1) - sqlite3_column_int(voice, 0)) * sqlite3_column_int(member, 1);
        sqlite3_finalize(voice);
    }
    sqlite3_finalize(member);
#else
    sqlite3_stmt *both;
    must(sqlite3_prepare_v2(db, "select low, high, age from member join voice on voice.id = member.voice", -1, &both, NULL), db);
    while (sqlite3_step(both) == SQLITE_ROW)
        sum += (sqlite3_column_int(both, 1) - sqlite3_column_int(both, 0)) * sqlite3_column_int(both, 2);
    sqlite3_finalize(both);
#endif
    return sum;
}

int main(int argc, char **argv)
{
    int count = (int)(160000 * (argc > 1 ? atof(argv[1]) : 1));
    sqlite3 *db;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK)
        return 1;
    choir_make(db, count);
    printf("%d members, %ld\n", count, range_sum(db));
    sqlite3_close(db);
    return 0;
}
