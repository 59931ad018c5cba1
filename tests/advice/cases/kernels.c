/* SPDX-License-Identifier: MIT */
/* rule: strides */
/* sizes: 0.5 1 3 */
/* base: 3 */
/* kernels.c: a relief is smoothed by a kernel of 3 x 3 heights, column by column; and its slopes are summed row by row.
 */
#include <stdio.h>
#include <stdlib.h>

#define SIDE 3000

struct relief {
    int wide, high;
    float *height;
};

static void smooth(struct relief *to, const struct relief *from)
{
    static const float weight[3][3] = { { 1, 2, 1 }, { 2, 4, 2 }, { 1, 2, 1 } };
#ifndef FIXED
    for (int x = 1; x < from->wide - 1; x++)
        for (int y = 1; y < from->high - 1; y++) { /* @ */
#else
    for (int y = 1; y < from->high - 1; y++)
        for (int x = 1; x < from->wide - 1; x++) {
#endif
            float sum = 0;                                                                                /* @ */
            for (int dy = -1; dy <= 1; dy++)                                                              /* @ */
                for (int dx = -1; dx <= 1; dx++)                                                          /* @ */
                    sum += weight[dy + 1][dx + 1] * from->height[(size_t)(y + dy) * from->wide + x + dx]; /* @ */
            to->height[(size_t)y * to->wide + x] = sum / 16;
        }
}

static double slopes(const struct relief *of)
{
    double sum = 0;
    for (int y = 0; y < of->high; y++)
        for (int x = 1; x < of->wide; x++) {
            float step = of->height[(size_t)y * of->wide + x] - of->height[(size_t)y * of->wide + x - 1];
            sum += step > 0 ? step : -step;
        }
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = (int)(4 * (argc > 1 ? atof(argv[1]) : 1));
    struct relief one = { SIDE, SIDE, malloc(sizeof(float) * SIDE * SIDE) };
    struct relief other = { SIDE, SIDE, calloc((size_t)SIDE * SIDE, sizeof(float)) };
    double sum = 0;
    if (!one.height || !other.height)
        return 1;
    for (unsigned i = 0; i < (unsigned)SIDE * SIDE; i++)
        one.height[i] = (float)(i * 2654435761u >> 20);
    for (int round = 0; round < rounds; round++) {
        smooth(&other, &one);
        sum += slopes(&other);
        struct relief swap = one;
        one = other;
        other = swap;
    }
    printf("%.6g after %d rounds\n", sum, rounds);
    free(one.height);
    free(other.height);
    return 0;
}
