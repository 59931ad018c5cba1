/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* sizes: 0.3 1 3 */
/* least: 85 */
/* libraries: -lm */
/* roots.c: readings of instruments are scaled by the root of their number. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define READINGS 4096

static double reading[READINGS];

static void readings_scale(double *all, int n, double number)
{
#ifdef FIXED
    double root = sqrt(number);
    for (int i = 0; i < n; i++)
        all[i] = all[i] * root + 1;
#else
    for (int i = 0; i < n; i++)
        all[i] = all[i] * sqrt(number) + 1; /* @ */
#endif
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(20000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int i = 0; i < READINGS; i++)
        reading[i] = i * 0.001;
    for (unsigned i = 0; i < count; i++)
        readings_scale(reading, READINGS, 0.5 + (double)(i % 7) / 32);
    for (int i = 0; i < READINGS; i++)
        sum += reading[i];
    printf("%u instruments, %.6f\n", count, sum);
    return 0;
}
