/* SPDX-License-Identifier: MIT */
/* A mill: sacks of grain are poured out, sorts of grain in each sack are counted without counting one twice, and the
 * flour is ground. Prints the counts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SORTS 65536u
#define GRAINS 200u

struct sieve {
#ifdef FIXED
    uint32_t seen[SORTS];
    uint32_t sack;
#else
    uint8_t seen[SORTS];
#endif
};

static void sack_fill(uint16_t *grain, uint32_t seed)
{
    for (unsigned i = 0; i < GRAINS; i++) {
        seed = seed * 1664525u + 1013904223u;
        grain[i] = (uint16_t)(seed >> 16 & (i % 3 ? 0xffff : 0xff));
    }
}

static unsigned sieve_sorts(struct sieve *sieve, const uint16_t *grain)
{
    unsigned sorts = 0;
#ifdef FIXED
    sieve->sack++;
    for (unsigned i = 0; i < GRAINS; i++) {
        sorts += sieve->seen[grain[i]] != sieve->sack;
        sieve->seen[grain[i]] = sieve->sack;
    }
#else
    memset(sieve->seen, 0, sizeof sieve->seen); /* @ */
    for (unsigned i = 0; i < GRAINS; i++) {
        sorts += !sieve->seen[grain[i]];
        sieve->seen[grain[i]] = 1;
    }
#endif
    return sorts;
}

static uint64_t flour_grind(const uint16_t *grain)
{
    uint64_t flour = 7;
    for (unsigned pass = 0; pass < 10; pass++)
        for (unsigned i = 0; i < GRAINS; i++) flour = (flour ^ grain[i]) * 1099511628211u;
    return flour;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned sacks = (unsigned)(200000 * scale) + 1;
    struct sieve *sieve = calloc(1, sizeof *sieve);
    if (!sieve) return 1;
    uint64_t sorts = 0, flour = 0;
    for (unsigned sack = 0; sack < sacks; sack++) {
        uint16_t grain[GRAINS];
        sack_fill(grain, sack * 31);
        sorts += sieve_sorts(sieve, grain);
        flour ^= flour_grind(grain);
    }
    free(sieve);
    printf("%llu %llu\n", (unsigned long long)sorts, (unsigned long long)flour);
    return 0;
}
