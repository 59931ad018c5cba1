/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* most: 75 */
/* divisions.c: rows of a table are scaled so that they add up to one, again and again. */
#include <stdio.h>
#include <stdlib.h>

#define COLUMNS 512
#define ROWS 32

static double row_sum(const double *row)
{
    double sum[4] = { 0 };
    for (int i = 0; i < COLUMNS; i += 4)
        for (int k = 0; k < 4; k++)
            sum[k] += row[i + k];
    return sum[0] + sum[1] + sum[2] + sum[3];
}

void row_scale(double *to, const double *row, int count)
{
    double sum = row_sum(row);
#ifndef FIXED
    for (int i = 0; i < count; i++)
        to[i] = row[i] / sum; /* @ */
#else
    double part = 1 / sum;
    for (int i = 0; i < count; i++)
        to[i] = row[i] * part;
#endif
}

int main(int argc, char **argv)
{
    static double table[ROWS][COLUMNS], scaled[ROWS][COLUMNS];
    int rounds = (int)(30000 * (argc > 1 ? atof(argv[1]) : 1));
    double all = 0;
    for (int i = 0; i < ROWS * COLUMNS; i++)
        table[i / COLUMNS][i % COLUMNS] = 1 + (i * 2654435761u >> 20);
    for (int r = 0; r < rounds; r++) {
        for (int i = 0; i < ROWS; i++)
            row_scale(scaled[i], table[i], COLUMNS);
        table[r % ROWS][r % COLUMNS] += 1;
        all += scaled[r % ROWS][(r + 1) % COLUMNS];
    }
    printf("%d rounds, %.6g\n", rounds, all);
    return 0;
}
