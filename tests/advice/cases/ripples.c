/* SPDX-License-Identifier: MIT */
/* rule: scalars */
/* sizes: 0.3 1 3 */
/* says: overlap */
/* lacks: ... */
/* ripples.c: ripples on a pond spread from one of two strips of water to the other, and back. That they do not overlap
 * is not known to the compiler, which has no name for either; in the twin it is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define YARDS 4096

static float pond[YARDS + 2], next[YARDS + 2];

#ifdef FIXED
__attribute__((noipa)) static void strip_make(float *restrict to, const float *restrict from)
{
    for (unsigned i = 1; i < YARDS + 1; i++)
        to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
}
#endif

__attribute__((noipa)) static void ripples_spread(unsigned round)
{
    float *to = round % 2 ? pond : next;
    const float *from = round % 2 ? next : pond;
#ifdef FIXED
    strip_make(to, from);
#else
    for (unsigned i = 1; i < YARDS + 1; i++)
        to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1]; /* @ */
#endif
}

int main(int argc, char **argv)
{
    unsigned rounds = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (unsigned i = 0; i < YARDS; i++)
        pond[i] = (float)(i * 37 % 100);
    for (unsigned r = 0; r < rounds; r++)
        ripples_spread(r);
    for (unsigned i = 0; i < YARDS; i++)
        sum += (double)pond[i];
    printf("%u rounds, %.1f\n", rounds, sum);
    return 0;
}
