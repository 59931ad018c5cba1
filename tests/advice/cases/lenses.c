/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* sizes: 0.3 1 3 */
/* least: 14 */
/* lenses.c: pictures are made brighter towards their corners, by a column and a row of weights. Which ones are meant comes
 * from a division for each pixel. It has few samples itself: those who wait for it have them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct picture {
    uint64_t wide, high;
    uint16_t *pixel;
};

__attribute__((noinline)) static void expose(struct picture *p, uint32_t seed)
{
    for (uint64_t i = 0; i < p->wide * p->high; i++) {
        seed = seed * 1664525u + 1013904223u;
        p->pixel[i] = (uint16_t)(2000 + (seed >> 20));
    }
}

__attribute__((noinline)) static void brighten(struct picture *p, const uint16_t *column, const uint16_t *row)
{
    uint64_t all = p->wide * p->high;
#ifndef FIXED
    for (uint64_t i = 0; i < all; i++) {
        uint32_t weight = (uint32_t)column[i % p->wide] * row[i / p->wide]; /* @ */
#else
    for (uint64_t i = 0, x = 0, y = 0; i < all; i++, x++) {
        if (x == p->wide) {
            x = 0;
            y++;
        }
        uint32_t weight = (uint32_t)column[x] * row[y];
#endif
        uint32_t value = (p->pixel[i] * (weight >> 8)) >> 8;
        p->pixel[i] = (uint16_t)(value > 65535 ? 65535 : value);
    }
}

int main(int argc, char **argv)
{
    int rounds = (int)(160 * (argc > 1 ? atof(argv[1]) : 1));
    struct picture p = { 800 + (uint64_t)(argc > 7), 500 + (uint64_t)(argc > 8), malloc(2 * 801 * 501) };
    uint16_t column[801], row[501];
    uint64_t sum = 0;
    for (uint64_t x = 0; x < p.wide; x++)
        column[x] = (uint16_t)(200 + x % 57);
    for (uint64_t y = 0; y < p.high; y++)
        row[y] = (uint16_t)(300 + y % 41);
    for (int i = 0; i < rounds; i++) {
        expose(&p, (uint32_t)i);
        brighten(&p, column, row);
        for (uint64_t k = 0; k < p.wide * p.high; k += 97)
            sum += p.pixel[k];
    }
    printf("%llu after %d rounds\n", (unsigned long long)sum, rounds);
    return 0;
}
