/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* guesses.c: of many readings those above a limit are kept. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define READINGS 50000

static uint32_t reading[READINGS], kept[READINGS + 1];

static unsigned readings_keep(uint32_t limit)
{
    unsigned count = 0;
    for (unsigned i = 0; i < READINGS; i++) {
#ifdef FIXED
        kept[count] = reading[i];
        count += reading[i] > limit;
#else
        if (reading[i] > limit) /* @ */
            kept[count++] = reading[i]; /* @ */
#endif
    }
    return count;
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(600 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 9;
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = i % 4; k < READINGS; k += 4) {
            state = state * 1664525u + 1013904223u;
            reading[k] = state >> 4;
        }
        unsigned many = readings_keep(1u << 27);
        sum = sum * 31 + many + kept[many / 2];
    }
    printf("%u rounds, %llx\n", count, (unsigned long long)sum);
    return 0;
}
