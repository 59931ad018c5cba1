/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* slowbatches.c: batches of words for an index. Now and then a batch brings a word that the index did not know, and all
 * of it is put in order again; in the twin the word is put at its place. */
#include <profplug.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST 910000u

static uint64_t word[MOST];
static unsigned count;

static unsigned place_of(uint64_t wanted)
{
    unsigned from = 0, to = count;
    while (from < to) {
        unsigned middle = (from + to) / 2;
        if (word[middle] < wanted)
            from = middle + 1;
        else
            to = middle;
    }
    return from;
}

#ifndef FIXED
static int word_compare(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}
#endif

__attribute__((noinline)) static void index_take(uint64_t one) /* @ */
{
    if (count == MOST)
        count--;
#ifdef FIXED
    unsigned at = place_of(one);
    memmove(&word[at + 1], &word[at], (count - at) * sizeof *word);
    word[at] = one;
    count++;
#else
    word[count++] = one;
    qsort(word, count, sizeof *word, word_compare);
#endif
}

int main(int argc, char **argv)
{
    unsigned batches = (unsigned)(400 * (argc > 1 ? atof(argv[1]) : 1)), state = 5;
    uint64_t sum = 0;
    for (count = 0; count < 900000; count++)
        word[count] = count * 1000ULL;
    PROFPLUG_LOOP("batches")
    for (unsigned i = 0; i < batches; i++) {
        unsigned news = 0;
        for (unsigned k = 0; k < 4000; k++) {
            state = state * 1664525u + 1013904223u;
            unsigned at = place_of(state % 900000000u);
            sum += at;
            news += state >> 8 == 0 || (k == 0 && state >> 24 < 12);
        }
        if (news)
            index_take(state % 900000000u);
    }
    printf("%llu %u\n", (unsigned long long)sum, count);
    return 0;
}
