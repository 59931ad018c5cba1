/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 3 */
/* reallocs.c: columns of readings, of which each grows as they arrive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS 64

struct column {
    double *value;
    size_t count, capacity;
};

static int column_add(struct column *c, double value)
{
    if (c->count == c->capacity) {
#ifndef FIXED
        size_t wanted = c->count + 1;
#else
        size_t wanted = 2 * c->count + 16;
#endif
        double *more = realloc(c->value, wanted * sizeof *more); /* @ */
        if (!more)
            return -1;
        c->value = more;
        c->capacity = wanted;
    }
    c->value[c->count++] = value;
    return 0;
}

static double column_mean(const struct column *c)
{
    double sum = 0;
    for (size_t i = 0; i < c->count; i++)
        sum += c->value[i];
    return c->count ? sum / (double)c->count : 0;
}

int main(int argc, char **argv)
{
    unsigned rows = (unsigned)(40000 * (argc > 1 ? atof(argv[1]) : 1)), seed = 9;
    struct column column[COLUMNS] = { 0 };
    double means = 0;
    for (unsigned row = 0; row < rows; row++)
        for (unsigned c = 0; c < COLUMNS; c++) {
            seed = seed * 1103515245 + 12345;
            if (column_add(&column[c], (double)(seed >> 16)))
                return 1;
        }
    for (int round = 0; round < 20; round++)
        for (unsigned c = 0; c < COLUMNS; c++)
            means += column_mean(&column[c]);
    printf("%.3f\n", means);
    for (unsigned c = 0; c < COLUMNS; c++)
        free(column[c].value);
    return 0;
}
