/* SPDX-License-Identifier: MIT */
/* rule: windows */
/* sizes: 0.3 1 3 */
/* not: accumulations */
/* does: running */
/* least: 80 */
/* rainfalls.c: how much it rained in the last year, for each day of a long record. */
#include <stdio.h>
#include <stdlib.h>

#define DAYS 60000
#define YEAR 365

static double rain[DAYS], year[DAYS];

static void years_sum(void)
{
#ifdef FIXED
    double sum = 0;
    for (int k = 0; k < YEAR; k++)
        sum += rain[k];
    for (int i = 0; i + YEAR < DAYS; i++) {
        year[i] = sum;
        sum += rain[i + YEAR] - rain[i];
    }
#else
    for (int i = 0; i + YEAR < DAYS; i++) {
        double sum = 0;
        for (int k = 0; k < YEAR; k++)
            sum += rain[i + k]; /* @ */
        year[i] = sum;
    }
#endif
}

int main(int argc, char **argv)
{
    int places = (int)(10 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned state = 3;
    double wettest = 0;
    for (int place = 0; place < places; place++) {
        for (int i = 0; i < DAYS; i++) {
            state = state * 1664525u + 1013904223u;
            rain[i] = (state >> 8) % 40;
        }
        years_sum();
        for (int i = 0; i + YEAR < DAYS; i++)
            wettest = year[i] > wettest ? year[i] : wettest;
    }
    printf("%g\n", wettest);
    return 0;
}
