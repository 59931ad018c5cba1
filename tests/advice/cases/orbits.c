/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rule: tables */
/* does: sqrt */
/* libraries: -lm */
/* orbits.c: bodies pull at each other, by the distance to the power of three, which pow computes. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BODIES 128

static double x[BODIES], y[BODIES], vx[BODIES], vy[BODIES];

__attribute__((noinline)) static void bodies_pull(void)
{
    for (int i = 0; i < BODIES; i++)
        for (int k = 0; k < BODIES; k++) {
            double dx = x[k] - x[i], dy = y[k] - y[i], square = dx * dx + dy * dy + 0.01;
#ifndef FIXED
            double pull = pow(square, -1.5); /* @ */
#else
            double pull = 1 / (square * sqrt(square));
#endif
            vx[i] += dx * pull;
            vy[i] += dy * pull;
        }
}

int main(int argc, char **argv)
{
    int steps = (int)(400 * (argc > 1 ? atof(argv[1]) : 1));
    double all = 0;
    for (int i = 0; i < BODIES; i++) {
        x[i] = (i * 2654435761u >> 16) / 65536.0;
        y[i] = (i * 1664525u + 1013904223u >> 16) / 65536.0;
    }
    for (int s = 0; s < steps; s++) {
        bodies_pull();
        for (int i = 0; i < BODIES; i++) {
            x[i] += 1e-9 * vx[i];
            y[i] += 1e-9 * vy[i];
        }
    }
    for (int i = 0; i < BODIES; i++)
        all += fabs(vx[i]) + fabs(vy[i]);
    printf("%d steps, %.5g\n", steps, all);
    return 0;
}
