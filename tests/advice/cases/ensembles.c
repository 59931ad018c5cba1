/* SPDX-License-Identifier: MIT */
/* rule: teams */
/* flags: -fopenmp */
/* sizes: 0.5 1 2 */
/* titled: little */
/* least: 40 */
/* ensembles.c: a few notes of each of many bars are shared out among players, who must be called together for each bar;
 * the twin shares out the bars. */
#include <stdio.h>
#include <stdlib.h>

#define NOTES 64

static float (*bar)[NOTES];

int main(int argc, char **argv)
{
    int bars = (int)(30000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    bar = calloc((size_t)bars, sizeof *bar);
    if (!bar)
        return 1;
#ifdef FIXED
#pragma omp parallel for
    for (int b = 0; b < bars; b++)
        for (int i = 0; i < NOTES; i++)
            bar[b][i] = (float)(b % 50 + i) * 0.5f;
#else
    for (int b = 0; b < bars; b++) {
#pragma omp parallel for /* @ */
        for (int i = 0; i < NOTES; i++)
            bar[b][i] = (float)(b % 50 + i) * 0.5f;
    }
#endif
    for (int b = 0; b < bars; b++)
        for (int i = 0; i < NOTES; i++)
            sum += bar[b][i];
    printf("%g\n", sum);
    free(bar);
    return 0;
}
