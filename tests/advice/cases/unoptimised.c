/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* unoptimised.c: how often each letter follows another one in made-up words. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef FIXED
#define SETTING __attribute__((optimize("O0")))
#else
#define SETTING
#endif

static uint32_t pair[26][26];

SETTING static uint32_t letter_next(uint32_t *state) /* @ as hot as its caller: the CPU decides which is hotter */
{
    *state = *state * 1664525u + 1013904223u;
    return (*state >> 16) % 26;
}

SETTING static void pairs_count(uint32_t count) /* @ */
{
    uint32_t state = 1, last = 0;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t letter = letter_next(&state);
        pair[last][letter]++;
        last = letter;
    }
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(1e8 * (argc > 1 ? atof(argv[1]) : 1)), most = 0;
    pairs_count(count);
    for (uint32_t i = 0; i < 26 * 26; i++)
        most = pair[i / 26][i % 26] > most ? pair[i / 26][i % 26] : most;
    printf("%u letters, most %u\n", count, most);
    return 0;
}
