/* SPDX-License-Identifier: MIT */
/* Medians of sensors: takes windows of samples, which it makes itself, sorts each, and keeps quantiles and the median's
 * surroundings. Prints sums over them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW 9u
#define ROOM 3000u

struct quantiles {
    uint32_t low, median, near;
};

#ifdef FIXED
static uint32_t *sorting, *differing;
#endif

static void window_make(uint32_t *window, unsigned number)
{
    uint32_t seed = number * 747796405u + 2891336453u;
    for (unsigned i = 0; i < WINDOW; i++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        window[i] = seed >> 8;
    }
}

static void window_sort(uint32_t *sorted, const uint32_t *window, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        unsigned k = i;
        for (; k && sorted[k - 1] > window[i]; k--) sorted[k] = sorted[k - 1];
        sorted[k] = window[i];
    }
}

static struct quantiles window_measure(const uint32_t *window, unsigned count)
{
#ifdef FIXED
    uint32_t *sorted = sorting = sorting ? sorting : malloc(ROOM);
    uint32_t *differences = differing = differing ? differing : malloc(ROOM);
#else
    uint32_t *sorted = malloc(ROOM); /* @ */
    uint32_t *differences = malloc(ROOM); /* @ */
#endif
    if (!sorted || !differences) exit(1);
    window_sort(sorted, window, count);
    for (unsigned i = 1; i < count; i++) differences[i] = sorted[i] - sorted[i - 1];
    struct quantiles quantiles = { sorted[1], sorted[count / 2], differences[count / 2] };
#ifndef FIXED
    free(differences);
    free(sorted);
#endif
    return quantiles;
}

static uint64_t seal(uint64_t h, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned windows = (unsigned)(3000000 * scale) + 1;
    uint64_t low = 0, median = 0, near = 0;
    uint32_t window[WINDOW];
    for (unsigned i = 0; i < windows; i++) {
        window_make(window, i);
        struct quantiles quantiles = window_measure(window, WINDOW);
        low += quantiles.low;
        median += quantiles.median;
        near += quantiles.near;
    }
    printf("%llu %llu %llu %llu\n", (unsigned long long)low, (unsigned long long)median, (unsigned long long)near,
           (unsigned long long)seal(median, (unsigned)(20000000 * scale)));
    return 0;
}
