/* SPDX-License-Identifier: MIT */
/* rule: bits */
/* sizes: 0.3 1 3 */
/* does: __builtin_popcount */
/* least: 70 */
/* beacons.c: how many beacons of a coast are lit, which are bits of a word, night after night. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint32_t coast[50000];

static unsigned lit_count(uint32_t beacons)
{
    unsigned count = 0;
#ifdef FIXED
    count = (unsigned)__builtin_popcount(beacons);
#else
    for (int i = 0; i < 32; i++) /* @ */
        if (beacons & (1u << i)) /* @ */
            count++;             /* @ */
#endif
    return count;
}

int main(int argc, char **argv)
{
    int nights = (int)(60 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 3, sum = 0;
    for (int i = 0; i < 50000; i++) {
        state = state * 1664525u + 1013904223u;
        coast[i] = state ^ state >> 15;
    }
    for (int night = 0; night < nights; night++)
        for (int i = 0; i < 50000; i++)
            sum = sum * 31 + lit_count(coast[i] + (uint32_t)night);
    printf("%u\n", sum);
    return 0;
}
