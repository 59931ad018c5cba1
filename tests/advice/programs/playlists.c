/* SPDX-License-Identifier: MIT */
/* A jukebox: songs and albums in a database in memory; writes the programme of an evening. Prints its length in
 * seconds and a digest of the titles. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ALBUMS 900

static sqlite3 *db;
static uint64_t digest = 1;

static void must(int is_right)
{
    if (is_right) return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
}

static void run(const char *sql)
{
    must(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

static void store_fill(int songs)
{
    char sql[160];
    run("begin; create table album(id integer primary key, title text, year int);"
        "create table song(id integer primary key, album int, seconds int)");
    for (int i = 0; i < ALBUMS; i++) {
        snprintf(sql, sizeof sql, "insert into album values(%d, 'the %d. record', %d)", i, i * 37 % ALBUMS, 1950 + i % 70);
        run(sql);
    }
    sqlite3_stmt *add;
    must(sqlite3_prepare_v2(db, "insert into song values(?, ?, ?)", -1, &add, NULL) == SQLITE_OK);
    for (int i = 0; i < songs; i++) {
        sqlite3_bind_int(add, 1, i);
        sqlite3_bind_int(add, 2, i * 13 % ALBUMS);
        sqlite3_bind_int(add, 3, 100 + i % 200);
        must(sqlite3_step(add) == SQLITE_DONE);
        sqlite3_reset(add);
    }
    sqlite3_finalize(add);
    run("commit");
}

static void title_add(const char *title, int year)
{
    for (int pass = 0; pass < 30; pass++)
        for (const char *c = title; *c; c++) digest = (digest ^ (uint8_t)*c) * 1099511628211ULL + (unsigned)year;
}

#ifndef FIXED
static void album_add(int album)
{
    sqlite3_stmt *ask;
    must(sqlite3_prepare_v2(db, "select title, year from album where id = ?", -1, &ask, NULL) == SQLITE_OK); /* @ */
    sqlite3_bind_int(ask, 1, album);
    must(sqlite3_step(ask) == SQLITE_ROW); /* @ */
    title_add((const char *)sqlite3_column_text(ask, 0), sqlite3_column_int(ask, 1));
    sqlite3_finalize(ask); /* @ */
}
#endif

static long programme_write(void)
{
    sqlite3_stmt *rows;
    long seconds = 0;
#ifdef FIXED
    const char *sql = "select seconds, title, year from song join album on album.id = song.album order by song.id";
#else
    const char *sql = "select seconds, album from song order by id";
#endif
    must(sqlite3_prepare_v2(db, sql, -1, &rows, NULL) == SQLITE_OK);
    while (sqlite3_step(rows) == SQLITE_ROW) {
        seconds += sqlite3_column_int(rows, 0);
#ifdef FIXED
        title_add((const char *)sqlite3_column_text(rows, 1), sqlite3_column_int(rows, 2));
#else
        album_add(sqlite3_column_int(rows, 1)); /* @ */
#endif
    }
    sqlite3_finalize(rows);
    return seconds;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    must(sqlite3_open(":memory:", &db) == SQLITE_OK);
    store_fill((int)(130000 * scale) + 1);
    long seconds = programme_write();
    printf("%ld %llu\n", seconds, (unsigned long long)digest);
    sqlite3_close(db);
    return 0;
}
