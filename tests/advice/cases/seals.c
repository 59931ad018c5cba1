/* SPDX-License-Identifier: MIT */
/* rule: bits */
/* sizes: 0.3 1 3 */
/* does: table */
/* says: checksum */
/* least: 80 */
/* seals.c: each letter gets a seal, a checksum of 32 bits, which is computed bit by bit. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define POLYNOMIAL 0xedb88320u

static uint8_t letter[40000];

__attribute__((noinline)) static uint32_t seal_make(uint32_t seal, const uint8_t *text, size_t bytes)
{
#ifdef FIXED
    static uint32_t table[256];
    for (uint32_t i = 0; i < 256 && !table[255]; i++) {
        uint32_t entry = i;
        for (int k = 0; k < 8; k++)
            entry = entry & 1 ? entry >> 1 ^ POLYNOMIAL : entry >> 1;
        table[i] = entry;
    }
    for (size_t i = 0; i < bytes; i++)
        seal = seal >> 8 ^ table[(seal ^ text[i]) & 255];
#else
    for (size_t i = 0; i < bytes; i++) {
        seal ^= text[i];
        for (int k = 0; k < 8; k++) /* @ */
            seal = seal & 1 ? seal >> 1 ^ POLYNOMIAL : seal >> 1; /* @ */
    }
#endif
    return seal;
}

int main(int argc, char **argv)
{
    int letters = (int)(300 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 3, seal = 0;
    for (size_t i = 0; i < sizeof letter; i++) {
        state = state * 1664525u + 1013904223u;
        letter[i] = (uint8_t)(state >> 24);
    }
    for (int i = 0; i < letters; i++)
        seal = seal_make(seal + (uint32_t)i, letter, sizeof letter);
    printf("%08x\n", seal);
    return 0;
}
