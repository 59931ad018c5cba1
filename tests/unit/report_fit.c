/* SPDX-License-Identifier: MIT */
/* Which law a cost follows: counts of steps of real loops (sorting, products of matrices, putting texts together), whose
 * laws are known, exact ones and ones with noise. What has too few sizes, or no law, is refused. */
#include "model/fit.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int wrong;

static void law_check(const char *what, const struct fit_point *point, size_t count, const char *expected)
{
    struct fit fit;
    bool found = fit_find(point, count, &fit);
    if (found != (expected != NULL) || (found && strcmp(fit.name, expected) != 0)) {
        printf("%s: %s (%.1f %%), expected %s\n", what, found ? fit.name : "none", fit.error_percent,
               expected ? expected : "none");
        wrong++;
    }
}

static uint64_t random_next(void)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

/* ---- loops whose steps are counted ---- */

static double selection_sort(int n)
{
    double steps = 0;
    for (int i = 0; i < n; i++)
        for (int k = i + 1; k < n; k++)
            steps++;
    return steps;
}

static double insertion_sort(int n)
{
    double steps = 0;
    uint32_t *v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++) {
        uint32_t one = (uint32_t)random_next();
        int k = i;
        for (; k > 0 && v[k - 1] > one; k--, steps++)
            v[k] = v[k - 1];
        v[k] = one;
    }
    free(v);
    return steps;
}

static double comparisons;

static int compare(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    comparisons++;
    return x < y ? -1 : x > y;
}

static double library_sort(int n)
{
    uint32_t *v = malloc((size_t)n * sizeof *v);
    for (int i = 0; i < n; i++)
        v[i] = (uint32_t)random_next();
    comparisons = 0;
    qsort(v, (size_t)n, sizeof *v, compare);
    free(v);
    return comparisons;
}

static double matrix_product(int n)
{
    double steps = 0;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            steps += n;
    return steps;
}

static double text_append(int n) /* each piece is found by walking over those before */
{
    double steps = 0;
    for (int i = 0; i < n; i++)
        steps += 7.0 * i + 7;
    return steps;
}

static double text_walk(int n) { return 3.0 * n; }

static double sieve(int n)
{
    double steps = 0;
    for (int i = 1; i <= n; i++)
        for (int k = 0; k < n; k += i)
            steps++;
    return steps;
}

static double uneven(int n) { return n * (n / 16 % 2 ? 40.0 : 1.0); }

int main(void)
{
    static const struct {
        const char *what, *law;
        double (*steps)(int n);
    } cases[] = {
        { "selection sort", "n^2", selection_sort }, { "insertion sort", "n^2", insertion_sort },
        { "qsort", "n log n", library_sort },        { "matrix product", "n^3", matrix_product },
        { "strings appended", "n^2", text_append },  { "a string walked over", "n", text_walk },
        { "sieve", "n log n", sieve },               { "no law", NULL, uneven },
    };
    struct fit_point point[8];
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        for (int i = 0; i < 8; i++) {
            int n = 24 << i;
            point[i] = (struct fit_point){ n, cases[c].steps(n) };
        }
        law_check(cases[c].what, point, 8, cases[c].law);
        law_check("four sizes", point, 4, NULL);
        for (int i = 0; i < 8; i++) /* steps that differ from entry to entry by 5 % */
            point[i].cost *= 0.95 + 0.1 * (double)(random_next() % 1000) / 1000;
        if (c != 2 && c != 6) /* noise hides a logarithm */
            law_check(cases[c].what, point, 8, cases[c].law);
        for (int i = 0; i < 8; i++)
            point[i].size = 300 + i;
        law_check("sizes that hardly differ", point, 8, NULL);
    }
    for (int i = 0; i < 8; i++) { /* exact steps over a range of three tell n^2 from its neighbours */
        point[i].size = 5000 + 1400 * i;
        point[i].cost = selection_sort(5000 + 1400 * i);
    }
    law_check("selection sort of near sizes", point, 8, "n^2");
    if (wrong)
        printf("%d wrong\n", wrong);
    return wrong != 0;
}
