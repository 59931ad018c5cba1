/* SPDX-License-Identifier: MIT */
/* rule: slowbatches */
/* sizes: 0.3 1 */
/* slowinside.c: letters of a post office, each checked for words that come twice. Some letters are long, and take the
 * square of their length; the twin marks what it has seen. */
#include <profplug.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LONGEST 12000u
#define WORDS 65536u

static unsigned word[LONGEST];
#ifdef FIXED
static unsigned seen[WORDS], letter;
#endif

PROFPLUG_STAGE("twice")
static unsigned twice_count(unsigned length) /* @ */
{
    unsigned twice = 0;
#ifdef FIXED
    letter++;
    for (unsigned i = 0; i < length; i++) {
        twice += seen[word[i]] == letter;
        seen[word[i]] = letter;
    }
#else
    for (unsigned i = 0; i < length; i++)
        for (unsigned k = 0; k < i; k++)
            if (word[k] == word[i]) {
                twice++;
                break;
            }
#endif
    return twice;
}

__attribute__((noinline)) static uint64_t letter_write(unsigned length, unsigned *state)
{
    uint64_t h = 14695981039346656037ULL;
    for (unsigned i = 0; i < length; i++) {
        *state = *state * 1664525u + 1013904223u;
        word[i] = *state >> 16 & (WORDS - 1);
    }
    for (unsigned i = 0; i < 400000; i++)
        h = (h ^ word[i % length]) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    unsigned letters = (unsigned)(300 * (argc > 1 ? atof(argv[1]) : 1)), state = 17;
    uint64_t sum = 0;
    PROFPLUG_LOOP("letters")
    for (unsigned i = 0; i < letters; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned length = state >> 24 < 20 ? LONGEST : 100 + (state >> 24);
        sum += letter_write(length, &state);
        sum += twice_count(length);
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
