/* SPDX-License-Identifier: MIT */
/* rule: allocations */
/* sizes: 0.5 1 2 */
/* neither: memsets */
/* spellings.c: how far words are from each other, by a table whose rows are allocated for each pair: they are so short
 * that getting them takes long, and clearing them does not. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 1000

static char word[WORDS][12];

static int least(int a, int b, int c)
{
    int both = a < b ? a : b;
    return both < c ? both : c;
}

static int distance(const char *a, const char *b)
{
    int high = (int)strlen(a), wide = (int)strlen(b);
#ifdef FIXED
    static int rows[12][12], *row[12];
    for (int i = 0; i <= high; i++)
        row[i] = rows[i];
#else
    int **row = malloc((size_t)(high + 1) * sizeof *row);
    for (int i = 0; row && i <= high; i++)
        row[i] = calloc((size_t)wide + 1, sizeof **row); /* @ */
    if (!row)
        exit(1);
#endif
    for (int i = 0; i <= high; i++)
        row[i][0] = i;
    for (int k = 0; k <= wide; k++)
        row[0][k] = k;
    for (int i = 1; i <= high; i++)
        for (int k = 1; k <= wide; k++)
            row[i][k] = least(row[i - 1][k] + 1, row[i][k - 1] + 1, row[i - 1][k - 1] + (a[i - 1] != b[k - 1]));
    int far = row[high][wide];
#ifndef FIXED
    for (int i = 0; i <= high; i++)
        free(row[i]);
    free(row);
#endif
    return far;
}

int main(int argc, char **argv)
{
    int words = (int)(700 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    unsigned state = 3;
    for (int i = 0; i < WORDS; i++)
        for (int k = 0; k < 4 + i % 7; k++) {
            state = state * 1664525u + 1013904223u;
            word[i][k] = (char)('a' + (state >> 20) % 6);
        }
    for (int i = 0; i < words; i++)
        for (int k = 0; k < 500; k++)
            sum += distance(word[i % WORDS], word[k]);
    printf("%d\n", sum);
    return 0;
}
