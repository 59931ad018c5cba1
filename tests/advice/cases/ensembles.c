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
#define BARS 3000

static float bar[BARS][NOTES];

int main(int argc, char **argv)
{
    int rounds = (int)(10 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int b = 0; b < BARS; b++)
        for (int i = 0; i < NOTES; i++)
            bar[b][i] = (float)(b % 50);
#ifdef FIXED
#pragma omp parallel for
    for (int b = 0; b < BARS; b++)
        for (int r = 0; r < rounds; r++)
            for (int i = 0; i < NOTES; i++)
                bar[b][i] = bar[b][i] * 0.5f + (float)(r + i);
#else
    for (int r = 0; r < rounds; r++)
        for (int b = 0; b < BARS; b++) {
#pragma omp parallel for /* @ */
            for (int i = 0; i < NOTES; i++)
                bar[b][i] = bar[b][i] * 0.5f + (float)(r + i);
        }
#endif
    for (int b = 0; b < BARS; b++)
        for (int i = 0; i < NOTES; i++)
            sum += bar[b][i];
    printf("%g\n", sum);
    return 0;
}
