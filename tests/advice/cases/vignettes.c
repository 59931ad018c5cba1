/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* sizes: 0.3 1 3 */
/* vignettes.c: cells of a table are weighed by the row and the column that they are in, which come from a division and
 * its rest: the processor does both at once. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct table {
    uint64_t wide, high;
    uint32_t *cell;
};

__attribute__((noinline)) static void weigh(struct table *t, const uint32_t *column, const uint32_t *row)
{
    uint64_t all = t->wide * t->high;
#ifndef FIXED
    for (uint64_t i = 0; i < all; i++)
        t->cell[i] = t->cell[i] / 2 + column[i % t->wide] * row[i / t->wide]; /* @ */
#else
    for (uint64_t i = 0, y = 0; i < all; y++)
        for (uint64_t x = 0; x < t->wide; x++, i++)
            t->cell[i] = t->cell[i] / 2 + column[x] * row[y];
#endif
}

int main(int argc, char **argv)
{
    int rounds = (int)(120 * (argc > 1 ? atof(argv[1]) : 1));
    struct table t = { 700 + (uint64_t)(argc > 9), 500, NULL };
    uint32_t *column = malloc(sizeof *column * t.wide), *row = malloc(sizeof *row * t.high), sum = 0;
    t.cell = calloc(t.wide * t.high, sizeof *t.cell);
    if (!column || !row || !t.cell)
        return 1;
    for (uint32_t x = 0; x < t.wide; x++)
        column[x] = 200 + x % 57;
    for (uint32_t y = 0; y < t.high; y++)
        row[y] = 100 + y % 41;
    for (int round = 0; round < rounds; round++)
        weigh(&t, column, row);
    for (uint64_t i = 0; i < t.wide * t.high; i++)
        sum += t.cell[i];
    printf("%u after %d rounds\n", sum, rounds);
    free(t.cell);
    free(column);
    free(row);
    return 0;
}
