/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* accumulations.c: how alike are two texts? The angle between the counts of their words. */
#include <stdio.h>
#include <stdlib.h>

#define WORDS 1024
#define TEXTS 64

double texts_product(const double *a, const double *b, int count)
{
    double sum = 0;
#ifndef FIXED
    for (int i = 0; i < count; i++)
        sum += a[i] * b[i]; /* @ */
#else
    double part[4] = { 0 };
    for (int i = 0; i + 4 <= count; i += 4) {
        part[0] += a[i] * b[i];
        part[1] += a[i + 1] * b[i + 1];
        part[2] += a[i + 2] * b[i + 2];
        part[3] += a[i + 3] * b[i + 3];
    }
    sum = part[0] + part[1] + part[2] + part[3];
#endif
    return sum;
}

int main(int argc, char **argv)
{
    static double text[TEXTS][WORDS];
    int rounds = (int)(160 * (argc > 1 ? atof(argv[1]) : 1));
    double all = 0;
    for (int i = 0; i < TEXTS * WORDS; i++)
        text[i / WORDS][i % WORDS] = i * 2654435761u >> 29;
    for (int r = 0; r < rounds; r++)
        for (int a = 0; a < TEXTS; a++)
            for (int b = 0; b < TEXTS; b++)
                all += texts_product(text[a], text[b], WORDS) / (a + b + 1);
    printf("%d rounds, %.6g\n", rounds, all);
    return 0;
}
