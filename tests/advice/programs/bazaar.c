/* SPDX-License-Identifier: MIT */
/* A bazaar's stalls in a table in memory: buyers ask the price of goods, pay, and haggle. Prints what was paid. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GOODS 3000

static void must(int result, sqlite3 *db)
{
    if (result == SQLITE_OK) return;
    fprintf(stderr, "%s\n", sqlite3_errmsg(db));
    exit(1);
}

static sqlite3 *bazaar_open(void)
{
    sqlite3 *db;
    sqlite3_stmt *put;
    must(sqlite3_open(":memory:", &db), db);
    must(sqlite3_exec(db, "create table goods(id integer primary key, price integer); begin", NULL, NULL, NULL), db);
    must(sqlite3_prepare_v2(db, "insert into goods values(?, ?)", -1, &put, NULL), db);
    for (int i = 0; i < GOODS; i++) {
        sqlite3_bind_int(put, 1, i);
        sqlite3_bind_int(put, 2, 5 + i * 37 % 101);
        if (sqlite3_step(put) != SQLITE_DONE) exit(1);
        sqlite3_reset(put);
    }
    sqlite3_finalize(put);
    must(sqlite3_exec(db, "commit", NULL, NULL, NULL), db);
    return db;
}

static sqlite3_stmt *question_make(sqlite3 *db)
{
    sqlite3_stmt *question;
    must(sqlite3_prepare_v2(db, "select price from goods where id = ?", -1, &question, NULL), db); /* @ */
    return question;
}

static int price_ask(sqlite3_stmt *question, int good)
{
    sqlite3_bind_int(question, 1, good);
    int price = sqlite3_step(question) == SQLITE_ROW ? sqlite3_column_int(question, 0) : 0;
    sqlite3_reset(question);
    return price;
}

static uint64_t haggle(uint64_t price, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) price = (price ^ i) * 1099511628211u;
    return price;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned buyers = (unsigned)(70000 * scale) + 1;
    sqlite3 *db = bazaar_open();
    uint64_t paid = 0, words = 0;
#ifdef FIXED
    sqlite3_stmt *question = question_make(db);
#endif
    for (unsigned buyer = 0; buyer < buyers; buyer++) {
#ifdef FIXED
        int price = price_ask(question, (int)(buyer * 7919u % GOODS));
#else
        sqlite3_stmt *question = question_make(db); /* @ */
        int price = price_ask(question, (int)(buyer * 7919u % GOODS));
        sqlite3_finalize(question);
#endif
        paid += (uint64_t)price;
        words ^= haggle((uint64_t)price, 3000);
    }
#ifdef FIXED
    sqlite3_finalize(question);
#endif
    sqlite3_close(db);
    printf("%llu %llu\n", (unsigned long long)paid, (unsigned long long)(words & 0xffff));
    return 0;
}
