/* SPDX-License-Identifier: MIT */
/* Stacks exposures of the night sky, which it makes itself: aligns each, and adds all to one picture. Prints the
 * picture's sum and its brightest spot. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 512u
#define AREA (SIDE * SIDE)

static uint32_t picture[AREA];

static uint16_t *exposure_at(uint16_t *all, unsigned number)
{
#ifdef FIXED
    (void)number;
    return all;
#else
    return all + (size_t)number * AREA;
#endif
}

static void exposure_take(uint16_t *exposure, unsigned number)
{
    uint64_t seed = number * 0x9e3779b97f4a7c15ULL + 1;
    for (unsigned i = 0; i < AREA; i += 4) {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        uint64_t dark = seed & 0x00ff00ff00ff00ffULL;
        memcpy(exposure + i, &dark, 8); /* @ */
    }
    for (unsigned i = 0; i < 200; i++) {
        unsigned at = (i * 2654435761u >> 14) % (AREA - SIDE);
        exposure[at + number % 5] = 0x8000;
    }
}

static unsigned exposure_shift(const uint16_t *exposure)
{
    unsigned best = 0, best_hits = 0;
    for (unsigned shift = 0; shift < 5; shift++) {
        unsigned hits = 0;
        for (unsigned i = 0; i < 200; i++) hits += exposure[(i * 2654435761u >> 14) % (AREA - SIDE) + shift] == 0x8000;
        if (hits > best_hits) {
            best_hits = hits;
            best = shift;
        }
    }
    return best;
}

static void exposure_add(const uint16_t *exposure, unsigned shift)
{
    uint32_t before = 0;
    for (unsigned i = 0; i + 8 < AREA; i++) {
        before = (before * 3 + exposure[i + shift]) / 4;
        picture[i] += before;
    }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned exposures = (unsigned)(420 * scale) + 1;
#ifdef FIXED
    uint16_t *all = malloc(AREA * sizeof *all);
#else
    uint16_t *all = malloc(exposures * (size_t)AREA * sizeof *all); /* @ */
#endif
    if (!all) return 1;
    for (unsigned i = 0; i < exposures; i++) {
        uint16_t *exposure = exposure_at(all, i);
        exposure_take(exposure, i);
        exposure_add(exposure, exposure_shift(exposure));
    }
    uint64_t sum = 0;
    unsigned brightest = 0;
    for (unsigned i = 0; i < AREA; i++) {
        sum += picture[i];
        if (picture[i] > picture[brightest]) brightest = i;
    }
    printf("%llu %u\n", (unsigned long long)sum, brightest);
    free(all);
    return 0;
}
