/* SPDX-License-Identifier: MIT */
/* rule: conversions */
/* sizes: 0.3 1 3 */
/* does: declare */
/* says: inlined */
/* bellows.c: how far the pressures of an organ's pipes are off from whole steps. No constant makes them double, but the
 * variables that they are kept in; and most of the work is in a function that GCC puts into the loop. */
#include <stdio.h>
#include <stdlib.h>

#ifndef FIXED
typedef double pressure;
#else
typedef float pressure;
#endif

enum { PIPES = 1024 };
static float wind[PIPES], steps[64];

static inline pressure pressure_round(pressure x, int *to)
{
    x += 8;
    float whole = x;                    /* @ */
    x += steps[(int)whole & 63];        /* @ */
    whole = x;                          /* @ */
    x += steps[(int)whole & 7] + whole; /* @ */
    whole = x;                          /* @ */
    *to = (int)whole & 63;
    return x;
}

__attribute__((noinline)) static float organ_listen(const float *air, float valve)
{
    pressure x[4];
    int to[4];
    float off = 0;
    for (int i = 0; i < PIPES; i += 4) {
        x[0] = valve * air[i]; /* @ */
        x[1] = valve * air[i + 1]; /* @ */
        x[2] = valve * air[i + 2]; /* @ */
        x[3] = valve * air[i + 3]; /* @ */
        x[0] = pressure_round(x[0], &to[0]); /* @ */
        x[1] = pressure_round(x[1], &to[1]); /* @ */
        x[2] = pressure_round(x[2], &to[2]); /* @ */
        x[3] = pressure_round(x[3], &to[3]); /* @ */
        x[0] = air[i] - steps[to[0]]; /* @ */
        x[1] = air[i + 1] - steps[to[1]]; /* @ */
        x[2] = air[i + 2] - steps[to[2]]; /* @ */
        x[3] = air[i + 3] - steps[to[3]]; /* @ */
        off += x[0] * x[0] + x[1] * x[1] + (x[2] * x[2] + x[3] * x[3]); /* @ */
    }
    return off;
}

int main(int argc, char **argv)
{
    long rounds = (long)(120000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int i = 0; i < PIPES; i++)
        wind[i] = (float)(i * 2654435761u >> 28);
    for (int i = 0; i < 64; i++)
        steps[i] = (float)(i & 7);
    for (long round = 0; round < rounds; round++)
        sum += organ_listen(wind, (float)(round & 1));
    printf("off by %.0f\n", sum);
    return 0;
}
