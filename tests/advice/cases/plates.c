/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: strides */
/* plates.c: a plate's temperatures lie in rows, each found by a pointer; the warmest column is looked for. Four sensors
 * have an array each, and are added up sample by sample: that goes through few rows, which stay in the cache. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define ROWS 1500
#define COLUMNS 2400

static float **rows_make(unsigned rows, unsigned columns)
{
    float **row = malloc(rows * sizeof *row);
    for (unsigned r = 0; row && r < rows; r++) {
        row[r] = malloc(columns * sizeof **row);
        for (unsigned c = 0; row[r] && c < columns; c++)
            row[r][c] = (float)((r * 31 + c * 17) % 101);
    }
    return row;
}

static float warmest(float **plate, unsigned rows, unsigned columns)
{
    static float sum[COLUMNS];
    float most = 0;
    for (unsigned c = 0; c < columns; c++)
        sum[c] = 0;
#ifndef FIXED
    for (unsigned c = 0; c < columns; c++)
        for (unsigned r = 0; r < rows; r++) /* @ */
            sum[c] += plate[r][c]; /* @ */
#else
    for (unsigned r = 0; r < rows; r++)
        for (unsigned c = 0; c < columns; c++)
            sum[c] += plate[r][c];
#endif
    for (unsigned c = 0; c < columns; c++)
        most = sum[c] > most ? sum[c] : most;
    return most;
}

static float sensors_add(float **sensor, unsigned sensors, unsigned samples)
{
    float most = 0;
    for (unsigned i = 0; i < samples; i++) {
        float sum = 0;
        for (unsigned s = 0; s < sensors; s++)
            sum += sensor[s][i];
        most = sum > most ? sum : most;
    }
    return most;
}

int main(int argc, char **argv)
{
    unsigned rounds = (unsigned)(15 * (argc > 1 ? atof(argv[1]) : 1));
    float **plate = rows_make(ROWS, COLUMNS), **sensor = rows_make(4 + (unsigned)argc / 100, 100000), most = 0;
    for (unsigned i = 0; plate && sensor && i < rounds; i++) {
        plate[i][i] += 1;
        most += warmest(plate, ROWS, COLUMNS) + sensors_add(sensor, 4 + (unsigned)argc / 100, 100000);
    }
    printf("%.0f\n", (double)most);
    return 0;
}
