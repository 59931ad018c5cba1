/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rule: tables */
/* does: before */
/* libraries: -lm */
/* fades.c: voices of a choir die away, each at its own pace. How much is left of one is the same for a whole block of
 * samples, and is computed for each of them. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define VOICES 24
#define BLOCK 256

static double sound[VOICES][BLOCK], mixed[BLOCK];

__attribute__((noinline)) static void voice_add(const double *from, int count, double time, double pace)
{
#ifdef FIXED
    double left = exp(-time / pace);
#endif
    for (int i = 0; i < count; i++)
#ifndef FIXED
        mixed[i] += from[i] * exp(-time / pace); /* @ */
#else
        mixed[i] += from[i] * left;
#endif
}

static void blocks_mix(int blocks)
{
    for (int b = 0; b < blocks; b++)
        for (int v = 0; v < VOICES; v++)
            voice_add(sound[v], BLOCK, b / 100.0, 3.0 + v);
}

int main(int argc, char **argv)
{
    int blocks = (int)(3000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int i = 0; i < VOICES * BLOCK; i++)
        sound[i / BLOCK][i % BLOCK] = (i * 2654435761u >> 20) / 4096.0 - 0.5;
    blocks_mix(blocks);
    for (int i = 0; i < BLOCK; i++)
        sum += mixed[i];
    printf("%d blocks, %.6g\n", blocks, sum);
    return 0;
}
