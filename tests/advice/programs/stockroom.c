/* SPDX-License-Identifier: MIT */
/* A stock room: deliveries go from a list, which it makes first, to a table of an SQLite database in a temporary file.
 * Prints the number of rows and a sum over them. */
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct delivery {
    unsigned article, amount, price;
    char label[40];
};

static const char *schema = "CREATE TABLE delivery (article INTEGER, amount INTEGER, price INTEGER, label TEXT)";
static char path[4096];

static sqlite3 *stock_open(void)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, sizeof path, "%s/stock.XXXXXX", folder ? folder : "/tmp");
    int fd = mkstemp(path);
    if (fd < 0) return NULL;
    close(fd);
    sqlite3 *stock;
    if (sqlite3_open(path, &stock)) return NULL;
    return sqlite3_exec(stock, schema, 0, 0, 0) ? NULL : stock;
}

static struct delivery *deliveries_make(unsigned count)
{
    struct delivery *list = calloc(count, sizeof *list);
    uint32_t seed = 7;
    for (unsigned i = 0; list && i < count; i++) {
        seed = seed * 1664525u + 1013904223u;
        list[i].article = seed >> 16;
        list[i].amount = seed % 50 + 1;
        list[i].price = seed >> 8 & 0xfff;
        snprintf(list[i].label, sizeof list[i].label, "box %u of shelf %u", i, seed >> 24);
    }
    return list;
}

static unsigned label_check(const char *label)
{
    unsigned a = 1, b = 0;
    for (int pass = 0; pass < 30000; pass++)
        for (const char *c = label; *c; c++) {
            a = (a + (uint8_t)*c) % 65521;
            b = (b + a) % 65521;
        }
    return b << 16 | a;
}

static int delivery_insert(sqlite3_stmt *insert, const struct delivery *delivery)
{
    sqlite3_bind_int(insert, 1, (int)delivery->article);
    sqlite3_bind_int(insert, 2, (int)delivery->amount);
    sqlite3_bind_int(insert, 3, (int)delivery->price);
    sqlite3_bind_text(insert, 4, delivery->label, -1, SQLITE_STATIC);
    int result = sqlite3_step(insert); /* @ */
    sqlite3_reset(insert);
    return result != SQLITE_DONE;
}

static int deliveries_import(sqlite3 *stock, const struct delivery *list, unsigned count, unsigned *checks)
{
    sqlite3_stmt *insert;
    if (sqlite3_prepare_v2(stock, "INSERT INTO delivery VALUES (?, ?, ?, ?)", -1, &insert, NULL)) return 1;
#ifdef FIXED
    if (sqlite3_exec(stock, "BEGIN", 0, 0, 0)) return 1;
#endif
    for (unsigned i = 0; i < count; i++) {
        *checks ^= label_check(list[i].label);
        if (delivery_insert(insert, &list[i])) return 1;
    }
#ifdef FIXED
    if (sqlite3_exec(stock, "COMMIT", 0, 0, 0)) return 1;
#endif
    return sqlite3_finalize(insert);
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned count = (unsigned)(110 * scale) + 1, checks = 0;
    sqlite3 *stock = stock_open();
    struct delivery *list = deliveries_make(count);
    if (!stock || !list || deliveries_import(stock, list, count, &checks)) return 1;
    sqlite3_stmt *sum;
    const char *query = "SELECT count(*), sum(article * amount + price) FROM delivery";
    if (sqlite3_prepare_v2(stock, query, -1, &sum, NULL)) return 1;
    if (sqlite3_step(sum) != SQLITE_ROW) return 1;
    printf("%d %lld %u\n", sqlite3_column_int(sum, 0), (long long)sqlite3_column_int64(sum, 1), checks);
    sqlite3_finalize(sum);
    sqlite3_close(stock);
    unlink(path);
    free(list);
    return 0;
}
