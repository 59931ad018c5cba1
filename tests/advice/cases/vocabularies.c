/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* does: spreads */
/* vocabularies.c: words are counted in a table with room for four times as many, in whose places they are put by the sum
 * of their letters; the twin has a hash that spreads, and goes on to a next place seldom. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PLACES (1 << 14)
#define WORDS 4000

static struct {
    char word[16];
    unsigned count;
} place[PLACES];
static char word[WORDS][16];

static uint32_t hash(const char *of)
{
    uint32_t sum = 0;
    for (; *of; of++)
#ifdef FIXED
        sum = (sum ^ (uint8_t)*of) * 0x01000193u;
    sum ^= sum >> 15;
#else
        sum += (uint8_t)*of;
#endif
    return sum % PLACES;
}

int main(int argc, char **argv)
{
#ifdef FIXED
    int counts = (int)(1200000 * (argc > 1 ? atof(argv[1]) : 1));
#else
    int counts = (int)(30000 * (argc > 1 ? atof(argv[1]) : 1));
#endif
    uint32_t state = 3;
    for (int i = 0; i < WORDS; i++)
        for (int k = 0; k < 10; k++) {
            state = state * 1664525u + 1013904223u;
            word[i][k] = (char)('a' + (state >> 20) % 26);
        }
    for (int i = 0; i < counts; i++) {
        state = state * 1664525u + 1013904223u;
        const char *one = word[(state >> 8) % WORDS];
        uint32_t at = hash(one);
        while (place[at].count && strcmp(place[at].word, one)) /* @ */
            at = (at + 1) % PLACES;
        if (!place[at].count++)
            strcpy(place[at].word, one);
    }
    unsigned most = 0;
    for (int i = 0; i < PLACES; i++)
        most += place[i].count > 0;
    printf("%d\n", most > 0);
    return 0;
}
