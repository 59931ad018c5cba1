/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* titled: table */
/* does: spread */
/* least: 70 */
/* lockets.c: lockets are found by their numbers, all of which are multiples of 512, in a table that is an eighth full. The
 * twin's hash spreads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BITS 14
#define PLACES (1u << BITS)
#define LOCKETS 2000

static uint32_t number[PLACES], looked_at[PLACES];

static uint32_t hash(uint32_t of)
{
#ifdef FIXED
    return of * 2654435769u >> (32 - BITS);
#else
    return of % PLACES;
#endif
}

static uint32_t place_of(uint32_t wanted)
{
    uint32_t at = hash(wanted);
    while (number[at] && number[at] != wanted) /* @ */
        at = (at + 1) % PLACES;
    return at;
}

int main(int argc, char **argv)
{
    int looks = (int)(2000000 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 3, most = 0;
    for (int i = 0; i < looks; i++) {
        state = state * 1664525u + 1013904223u;
        uint32_t wanted = ((state >> 8) % LOCKETS + 1) * 512, at = place_of(wanted);
        number[at] = wanted;
        looked_at[at]++;
    }
    for (uint32_t i = 0; i < PLACES; i++)
        most = looked_at[i] > most ? looked_at[i] : most;
    printf("%u\n", most);
    return 0;
}
