/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* strides.c: a table of measurements, a row an hour and a column a station; the sum of each station. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define STATIONS 2048

static void stations_add(const float *table, int hours, double *sum)
{
#ifndef FIXED
    for (int station = 0; station < STATIONS; station++)
        for (int hour = 0; hour < hours; hour++)
            sum[station] += table[(size_t)hour * STATIONS + station]; /* @ */
#else
    for (int hour = 0; hour < hours; hour++)
        for (int station = 0; station < STATIONS; station++)
            sum[station] += table[(size_t)hour * STATIONS + station];
#endif
}

static double hottest_hour(const float *table, int hours)
{
    double best = -1e9;
    for (int hour = 0; hour < hours; hour += 16)
        for (int station = 0; station < STATIONS; station++)
            best = table[(size_t)hour * STATIONS + station] > best ? table[(size_t)hour * STATIONS + station] : best;
    return best;
}

int main(int argc, char **argv)
{
    int hours = 2048, rounds = (int)(40 * (argc > 1 ? atof(argv[1]) : 1));
    float *table = malloc(sizeof *table * STATIONS * (size_t)hours);
    double *sum = calloc(STATIONS, sizeof *sum), all = 0, top = 0;
    if (!table || !sum)
        return 1;
    for (int i = 0; i < hours * STATIONS; i++)
        table[i] = (float)(i * 2654435761u >> 22) / 16;
    for (int r = 0; r < rounds; r++) {
        stations_add(table, hours, sum);
        top += hottest_hour(table, hours);
    }
    for (int i = 0; i < STATIONS; i++)
        all += sum[i];
    printf("%.6g over %d, top %.6g\n", all, rounds, top);
    free(table);
    free(sum);
    return 0;
}
