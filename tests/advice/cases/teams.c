/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* flags: -fopenmp */
/* libraries: -lm */
/* says: spun */
/* teams.c: heat spreads in a plate. Rows in its lower half are refined, so the thread that has them is late each time,
 * and the other one spins at the end of the region. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 64
static double heat[ROWS];

static double row_refine(int row, int steps)
{
    double t = row + heat[row] / 1000;
    for (int i = 0; i < steps; i++)
        t = t * 0.999 + i / (t + 3);
    return t;
}

int main(int argc, char **argv)
{
    int rounds = (int)(120 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int k = 0; k < rounds; k++) {
#ifndef FIXED
#pragma omp parallel for num_threads(2)    /* @ */
#else
#pragma omp parallel for num_threads(2) schedule(dynamic)
#endif
        for (int row = 0; row < ROWS; row++)
            heat[row] = row_refine(row, row < ROWS / 2 ? 1200 : 14000);
        sum += heat[k % ROWS];
    }
    printf("%.6g\n", sum);
    return 0;
}
