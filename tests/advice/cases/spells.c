/* SPDX-License-Identifier: MIT */
/* sizes: 1 */
/* rule: allocations */
/* spells.c: how many letters have to change to make one word of another. The row of counts is a block of its own for
 * each pair of words, which takes less than a tenth of the time. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WORDS 300
#define LETTERS 7

static char word[WORDS][LETTERS + 1];

static void words_make(void)
{
    uint32_t random = 9;
    for (int i = 0; i < WORDS; i++)
        for (int k = 0; k < LETTERS; k++) {
            random = random * 1664525 + 1013904223;
            word[i][k] = (char)('a' + (random >> 28) % 6);
        }
}

static unsigned lesser(unsigned a, unsigned b)
{
    return a < b ? a : b;
}

static unsigned word_distance(const char *a, const char *b)
{
#ifdef FIXED
    unsigned row[LETTERS + 1];
#else
    unsigned *row = malloc((LETTERS + 1) * sizeof *row); /* @ */
    if (!row)
        return 0;
#endif
    for (unsigned k = 0; k <= LETTERS; k++)
        row[k] = k;
    for (unsigned i = 0; i < LETTERS; i++) {
        unsigned before = row[0];
        row[0] = i + 1;
        for (unsigned k = 0; k < LETTERS; k++) {
            unsigned changed = before + (a[i] != b[k]);
            before = row[k + 1];
            row[k + 1] = lesser(changed, lesser(row[k], before) + 1);
        }
    }
    unsigned distance = row[LETTERS];
#ifndef FIXED
    free(row);
#endif
    return distance;
}

int main(int argc, char **argv)
{
    int rounds = (int)(60 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    words_make();
    for (int round = 0; round < rounds; round++)
        for (int i = 0; i < WORDS; i++)
            for (int k = 0; k < WORDS; k++)
                sum = sum * 31 + word_distance(word[i], word[k]);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
