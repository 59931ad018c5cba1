/* SPDX-License-Identifier: MIT */
/* A bakery's till: each sale asks the stock in a database in memory for its price. Prints the takings. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LOAVES 40

static sqlite3 *stock;

static void stock_fill(void)
{
    char sql[120];
    if (sqlite3_open(":memory:", &stock) || sqlite3_exec(stock, "create table loaf(id integer primary key, cents int)", 0, 0, 0)) exit(1);
    for (int i = 0; i < LOAVES; i++) {
        snprintf(sql, sizeof sql, "insert into loaf values(%d, %d)", i, 150 + i * 35 % 400);
        if (sqlite3_exec(stock, sql, 0, 0, 0)) exit(1);
    }
}

static int price_of(int loaf)
{
#ifdef FIXED
    static sqlite3_stmt *ask;
    if (!ask && sqlite3_prepare_v2(stock, "select cents from loaf where id = ?1", -1, &ask, NULL)) exit(1);
#else
    sqlite3_stmt *ask;
    if (sqlite3_prepare_v2(stock, "select cents from loaf where id = ?1", -1, &ask, NULL)) exit(1); /* @ */
#endif
    sqlite3_bind_int(ask, 1, loaf);
    if (sqlite3_step(ask) != SQLITE_ROW) exit(1);
    int cents = sqlite3_column_int(ask, 0);
#ifdef FIXED
    sqlite3_reset(ask);
#else
    sqlite3_finalize(ask); /* @ */
#endif
    return cents;
}

static uint32_t receipt_print(uint32_t sale, int cents)
{
    char text[40];
    uint32_t h = sale;
    int length = snprintf(text, sizeof text, "%u: %d.%02d", sale, cents / 100, cents % 100);
    for (int pass = 0; pass < 25; pass++)
        for (int i = 0; i < length; i++) h = h * 31 + (uint8_t)text[i];
    return h >> 30;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    uint32_t sales = (uint32_t)(150000 * scale) + 1;
    uint64_t takings = 0;
    stock_fill();
    for (uint32_t i = 0; i < sales; i++) {
        int cents = price_of((int)(i * 7 % LOAVES));
        takings += (uint64_t)cents + receipt_print(i, cents);
    }
    printf("%llu\n", (unsigned long long)takings);
    return 0;
}
