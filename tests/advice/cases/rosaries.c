/* SPDX-License-Identifier: MIT */
/* rule: windows */
/* sizes: 0.3 1 3 */
/* base: 8 */
/* titled: together */
/* does: roll */
/* least: 70 */
/* rosaries.c: each 24 letters of a text of four letters are one number, which is made anew at each place. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LONG 24

static uint8_t code[256];

static uint64_t numbers_sum(const char *text, size_t n)
{
    const uint64_t mask = (1ull << 2 * LONG) - 1;
    uint64_t sum = 0, number = 0;
#ifdef FIXED
    for (size_t i = 0; i < n; i++) {
        number = (number << 2 | code[(uint8_t)text[i]]) & mask;
        if (i + 1 >= LONG)
            sum += number ^ number >> 7;
    }
#else
    for (size_t i = 0; i + LONG <= n; i++) {
        number = 0;
        for (size_t k = 0; k < LONG; k++) /* @ */
            number = (number << 2 | code[(uint8_t)text[i + k]]) & mask; /* @ */
        sum += number ^ number >> 7;
    }
#endif
    return sum;
}

int main(int argc, char **argv)
{
    size_t n = (size_t)(4000000 * (argc > 1 ? atof(argv[1]) : 1));
    char *text = malloc(n);
    uint32_t state = 3;
    code['C'] = 1;
    code['G'] = 2;
    code['T'] = 3;
    for (size_t i = 0; i < n; i++) {
        state = state * 1664525u + 1013904223u;
        text[i] = "ACGT"[state >> 30];
    }
    printf("%llu\n", (unsigned long long)numbers_sum(text, n));
    return 0;
}
