/* SPDX-License-Identifier: MIT */
/* rule: pagefaults */
/* sizes: 0.7 1 1.4 */
/* wide: 0.7 1 1.4 */
/* kind: bound */
/* does: rows */
/* looms.c: how far two weavers' patterns agree. The table is needed to the end, so freeing it sooner saves nothing; two
 * of its rows would do. */
#include <stdio.h>
#include <stdlib.h>

static unsigned char *pattern_make(int n, unsigned state)
{
    unsigned char *p = malloc((size_t)n + 1);
    for (int i = 0; p && i < n; i++) {
        state = state * 1664525u + 1013904223u;
        p[i] = (unsigned char)('a' + (state >> 24) % 4);
    }
    return p;
}

static int longest(const unsigned char *x, const unsigned char *y, int n)
{
#ifdef FIXED
    int *row[2] = { calloc((size_t)n + 1, sizeof(int)), calloc((size_t)n + 1, sizeof(int)) };
#define ROW(i) row[(i) % 2]
#else
    int **row = malloc((size_t)(n + 1) * sizeof *row);
    for (int i = 0; i <= n; i++)
        row[i] = calloc((size_t)n + 1, sizeof **row); /* @ */
#define ROW(i) row[i]
#endif
    for (int i = 1; i <= n; i++)
        for (int j = 1; j <= n; j++) {
            int up = ROW(i - 1)[j], left = ROW(i)[j - 1];
            ROW(i)[j] = x[i - 1] == y[j - 1] ? ROW(i - 1)[j - 1] + 1 : up > left ? up : left;
        }
    return ROW(n)[n];
}

int main(int argc, char **argv)
{
    int n = (int)(6000 * (argc > 1 ? atof(argv[1]) : 1));
    printf("%d\n", longest(pattern_make(n, 1), pattern_make(n, 2), n));
    return 0;
}
