/* SPDX-License-Identifier: MIT */
/* rule: strides */
/* sizes: 0.5 1 3 */
/* base: 2.5 */
/* frescoes.c: a fresco is softened by five heights above one another, read by an accessor that keeps to the picture; and
 * its cracks are summed, row by row. */
#include <stdio.h>
#include <stdlib.h>

#define SIDE 3000

struct fresco {
    int wide, high;
    float *shade;
};

static inline int within(int at, int most)
{
    return at < 0 ? 0 : at > most ? most : at;
}

static inline float shade_at(const struct fresco *f, int x, int y)
{
    return f->shade[(size_t)within(y, f->high - 1) * f->wide + within(x, f->wide - 1)]; /* @ */
}

static void soften(struct fresco *to, const struct fresco *from)
{
#ifndef FIXED
    for (int x = 0; x < from->wide; x++)
        for (int y = 0; y < from->high; y++) { /* @ */
#else
    for (int y = 0; y < from->high; y++)
        for (int x = 0; x < from->wide; x++) {
#endif
            float sum = 0;                       /* @ */
            for (int k = -2; k <= 2; k++)        /* @ */
                sum += shade_at(from, x, y + k); /* @ */
            to->shade[(size_t)y * to->wide + x] = sum / 5;
        }
}

static double cracks(const struct fresco *of)
{
    double sum = 0;
    for (int y = 0; y < of->high; y++)
        for (int x = 0; x < of->wide; x++) {
            float step = shade_at(of, x, y) - shade_at(of, x - 1, y);
            sum += step > 0 ? step : -step;
        }
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = (int)(4 * (argc > 1 ? atof(argv[1]) : 1));
    struct fresco one = { SIDE, SIDE, malloc(sizeof(float) * SIDE * SIDE) };
    struct fresco other = { SIDE, SIDE, calloc((size_t)SIDE * SIDE, sizeof(float)) };
    double sum = 0;
    if (!one.shade || !other.shade)
        return 1;
    for (unsigned i = 0; i < (unsigned)SIDE * SIDE; i++)
        one.shade[i] = (float)(i * 2654435761u >> 20);
    for (int round = 0; round < rounds; round++) {
        soften(&other, &one);
        sum += cracks(&other);
        struct fresco swap = one;
        one = other;
        other = swap;
    }
    printf("%.6g after %d rounds\n", sum, rounds);
    free(one.shade);
    free(other.shade);
    return 0;
}
