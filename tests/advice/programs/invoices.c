/* SPDX-License-Identifier: MIT */
/* Writes invoices: goes through the orders of an SQLite database in memory, which it fills first, and prints a sum over
 * the texts, each of which has the customer's name and town. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CUSTOMERS 3000

static const char *schema =
    "CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, town TEXT);"
    "CREATE TABLE purchase (id INTEGER PRIMARY KEY, customer INTEGER, article TEXT, cents INTEGER)";

static int tables_fill(sqlite3 *shop, unsigned purchases)
{
    sqlite3_stmt *row;
    char text[64];
    if (sqlite3_exec(shop, schema, 0, 0, 0) || sqlite3_exec(shop, "BEGIN", 0, 0, 0)) return 1;
    if (sqlite3_prepare_v2(shop, "INSERT INTO customer VALUES (?, ?, ?)", -1, &row, NULL)) return 1;
    for (int i = 0; i < CUSTOMERS; i++) {
        snprintf(text, sizeof text, "customer number %d", i);
        sqlite3_bind_int(row, 1, i);
        sqlite3_bind_text(row, 2, text, -1, SQLITE_STATIC);
        sqlite3_bind_text(row, 3, text + 9, 6, SQLITE_STATIC);
        if (sqlite3_step(row) != SQLITE_DONE) return 1;
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
    if (sqlite3_prepare_v2(shop, "INSERT INTO purchase VALUES (?, ?, ?, ?)", -1, &row, NULL)) return 1;
    for (unsigned i = 0; i < purchases; i++) {
        snprintf(text, sizeof text, "article %u", i * 7919 % 1000);
        sqlite3_bind_int(row, 1, (int)i);
        sqlite3_bind_int(row, 2, (int)(i * 2654435761u % CUSTOMERS));
        sqlite3_bind_text(row, 3, text, -1, SQLITE_STATIC);
        sqlite3_bind_int(row, 4, (int)(i % 9000 + 100));
        if (sqlite3_step(row) != SQLITE_DONE) return 1;
        sqlite3_reset(row);
    }
    sqlite3_finalize(row);
    return sqlite3_exec(shop, "COMMIT", 0, 0, 0);
}

static uint64_t text_hash(const char *text, uint64_t h)
{
    for (; *text; text++) h = (h ^ (uint8_t)*text) * 1099511628211ULL;
    return h;
}

static uint64_t invoice_hash(sqlite3_stmt *purchase, const char *name, const char *town)
{
    char text[256];
    int cents = sqlite3_column_int(purchase, 2);
    snprintf(text, sizeof text, "To %s of %s: %s, %d.%02d, due in %d days", name, town,
             (const char *)sqlite3_column_text(purchase, 1), cents / 100, cents % 100, cents % 30);
    return text_hash(text, 14695981039346656037ULL);
}

#ifdef FIXED
static int invoices_write(sqlite3 *shop, uint64_t *sum)
{
    sqlite3_stmt *all;
    if (sqlite3_prepare_v2(shop, "SELECT p.customer, p.article, p.cents, c.name, c.town FROM purchase p "
                                 "JOIN customer c ON c.id = p.customer ORDER BY p.id", -1, &all, NULL)) return 1;
    while (sqlite3_step(all) == SQLITE_ROW)
        *sum += invoice_hash(all, (const char *)sqlite3_column_text(all, 3), (const char *)sqlite3_column_text(all, 4));
    return sqlite3_finalize(all);
}
#else
static int invoices_write(sqlite3 *shop, uint64_t *sum)
{
    sqlite3_stmt *all, *one;
    if (sqlite3_prepare_v2(shop, "SELECT customer, article, cents FROM purchase ORDER BY id", -1, &all, NULL)) return 1;
    while (sqlite3_step(all) == SQLITE_ROW) {
        if (sqlite3_prepare_v2(shop, "SELECT name, town FROM customer WHERE id = ?", -1, &one, NULL)) return 1; /* @ */
        sqlite3_bind_int(one, 1, sqlite3_column_int(all, 0));
        if (sqlite3_step(one) != SQLITE_ROW) return 1; /* @ */
        *sum += invoice_hash(all, (const char *)sqlite3_column_text(one, 0), (const char *)sqlite3_column_text(one, 1));
        sqlite3_finalize(one);
    }
    return sqlite3_finalize(all);
}
#endif

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned purchases = (unsigned)(60000 * scale) + 1;
    uint64_t sum = 0;
    sqlite3 *shop;
    if (sqlite3_open(":memory:", &shop) || tables_fill(shop, purchases) || invoices_write(shop, &sum)) return 1;
    printf("%llu\n", (unsigned long long)sum);
    sqlite3_close(shop);
    return 0;
}
