/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rule: tables */
/* says: ranges */
/* libraries: -lm */
/* cosines.c: blocks of 8 by 8 pixels become sums of waves, and the cosines of these are computed for each pixel. There
 * are 64 of them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 8
#define PI 3.14159265358979323846

static double pixel[SIDE], wave[SIDE];

__attribute__((noinline)) static void row_change(void)
{
#ifdef FIXED
    static double cosine[SIDE][SIDE];
    if (cosine[0][0] == 0)
        for (int u = 0; u < SIDE; u++)
            for (int x = 0; x < SIDE; x++)
                cosine[u][x] = cos((2 * x + 1) * u * PI / (2 * SIDE));
#endif
    for (int u = 0; u < SIDE; u++) {
        double sum = 0;
        for (int x = 0; x < SIDE; x++)
#ifndef FIXED
            sum += pixel[x] * cos((2 * x + 1) * u * PI / (2 * SIDE)); /* @ */
#else
            sum += pixel[x] * cosine[u][x];
#endif
        wave[u] = sum;
    }
}

int main(int argc, char **argv)
{
    int rows = (int)(200000 * (argc > 1 ? atof(argv[1]) : 1));
    double all = 0;
    for (int r = 0; r < rows; r++) {
        for (int x = 0; x < SIDE; x++)
            pixel[x] = (r * 2654435761u >> (x + 8)) & 255;
        row_change();
        all += wave[r % SIDE];
    }
    printf("%d rows, %.6g\n", rows, all);
    return 0;
}
