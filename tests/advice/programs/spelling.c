/* SPDX-License-Identifier: MIT */
/* Guesses the language of short texts, which it makes itself, from pairs of letters. Prints how many are of each
 * language, and a sum over the guesses. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 128u
#define TEXT 120u
#define LANGUAGES 5u

struct pairs {
    uint16_t count[LETTERS * LETTERS];
    uint16_t used[TEXT], uses;
};

static uint32_t weights[LANGUAGES][LETTERS * LETTERS];

static void weights_make(void)
{
    for (uint32_t i = 0; i < LANGUAGES; i++)
        for (uint32_t k = 0; k < LETTERS * LETTERS; k++)
            weights[i][k] = ((i + 1) * 2654435761u ^ k * 2246822519u) >> 22;
}

static void text_make(char *text, unsigned number)
{
    uint32_t seed = number * 747796405u + 2891336453u;
    for (unsigned i = 0; i < TEXT; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = (char)("etaoinshrdlu mnpqrvwxyzETA,.;abc"[seed >> 27]);
    }
}

static void pairs_clear(struct pairs *pairs)
{
#ifdef FIXED
    for (unsigned i = 0; i < pairs->uses; i++) pairs->count[pairs->used[i]] = 0;
#else
    memset(pairs->count, 0, sizeof pairs->count); /* @ */
#endif
    pairs->uses = 0;
}

static void pairs_count(struct pairs *pairs, const char *text)
{
    for (unsigned i = 0; i + 1 < TEXT; i++) {
        unsigned pair = (unsigned)text[i] * LETTERS + (unsigned)text[i + 1];
        if (!pairs->count[pair]++) pairs->used[pairs->uses++] = (uint16_t)pair;
    }
}

static unsigned language_guess(const struct pairs *pairs, uint64_t *sum)
{
    unsigned best = 0;
    uint64_t best_score = 0;
    for (unsigned i = 0; i < LANGUAGES; i++) {
        uint64_t score = 0;
        for (unsigned k = 0; k < pairs->uses; k++) {
            unsigned pair = pairs->used[k];
            score += pairs->count[pair] * (uint64_t)weights[i][pair];
        }
        if (score > best_score) {
            best_score = score;
            best = i;
        }
    }
    *sum += best_score;
    return best;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned texts = (unsigned)(500000 * scale) + 1;
    unsigned found[LANGUAGES] = { 0 };
    uint64_t sum = 0;
    static struct pairs pairs;
    char text[TEXT];
    weights_make();
    for (unsigned i = 0; i < texts; i++) {
        text_make(text, i);
        pairs_clear(&pairs);
        pairs_count(&pairs, text);
        found[language_guess(&pairs, &sum)]++;
    }
    for (unsigned i = 0; i < LANGUAGES; i++) printf("%u ", found[i]);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
