/* SPDX-License-Identifier: MIT */
/* rule: bits */
/* sizes: 0.3 1 3 */
/* does: mask */
/* least: 70 */
/* packings.c: numbers of 11 bits each, which are packed without gaps, are unpacked. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BITS 11

static uint8_t packed[220000];

static uint32_t number_at(size_t at)
{
    uint32_t number = 0;
#ifdef FIXED
    memcpy(&number, packed + at / 8, sizeof number);
    number = number >> at % 8 & ((1u << BITS) - 1);
#else
    for (unsigned k = 0; k < BITS; k++) /* @ */
        number |= (uint32_t)(packed[(at + k) / 8] >> (at + k) % 8 & 1) << k; /* @ */
#endif
    return number;
}

int main(int argc, char **argv)
{
    int rounds = (int)(30 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 3, sum = 0;
    for (size_t i = 0; i < sizeof packed; i++) {
        state = state * 1664525u + 1013904223u;
        packed[i] = (uint8_t)(state >> 24);
    }
    for (int r = 0; r < rounds; r++)
        for (size_t at = 0; at + 32 < 8 * sizeof packed; at += BITS)
            sum = sum * 31 + number_at(at);
    printf("%u\n", sum);
    return 0;
}
