/* SPDX-License-Identifier: MIT */
/* Counts the words of a text, which it makes itself, and lists the frequent ones. Prints the number of words, and a sum
 * over the counts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef FIXED
#define BUCKETS 16384u
#else
#define BUCKETS 256u
#endif
#define VOCABULARY 6000u
#define WORD 16u

struct word {
    struct word *next;
    uint32_t count, length;
    char text[WORD];
};

static struct word *buckets[BUCKETS]; /* @ */
static char vocabulary[VOCABULARY][WORD];
static unsigned words;

static void vocabulary_make(void)
{
    for (uint32_t i = 0; i < VOCABULARY; i++) {
        uint32_t seed = i * 2654435761u + 11;
        unsigned length = 4 + (seed >> 28) % 8;
        for (unsigned k = 0; k < length; k++) {
            vocabulary[i][k] = (char)('a' + (seed >> 27) % 26);
            seed = seed * 1664525u + 1013904223u;
        }
        vocabulary[i][length] = (char)('a' + i % 26);
    }
}

static uint32_t text_hash(const char *text, unsigned length)
{
    uint32_t h = 2166136261u;
    for (unsigned i = 0; i < length; i++) h = (h ^ (uint8_t)text[i]) * 16777619u;
    return h ^ h >> 15;
}

static struct word *word_find(const char *text, unsigned length)
{
    struct word **bucket = &buckets[text_hash(text, length) % BUCKETS];
    for (struct word *word = *bucket; word; word = word->next) /* @ */
        if (word->length == length && !memcmp(word->text, text, length)) return word; /* @ */
    struct word *word = calloc(1, sizeof *word);
    if (!word) exit(1);
    memcpy(word->text, text, length);
    word->length = length;
    word->next = *bucket;
    *bucket = word;
    words++;
    return word;
}

static uint64_t text_count(unsigned long count)
{
    uint64_t h = 1, seed = 88172645463325252ULL;
    for (unsigned long i = 0; i < count; i++) {
        for (int k = 0; k < 6; k++) {
            seed ^= seed << 13;
            seed ^= seed >> 7;
            seed ^= seed << 17;
        }
        const char *text = vocabulary[(seed >> 20) % VOCABULARY];
        struct word *word = word_find(text, (unsigned)strlen(text));
        word->count++;
        h = h * 31 + word->count;
    }
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    vocabulary_make();
    uint64_t h = text_count((unsigned long)(6000000 * scale) + 1);
    uint64_t frequent = 0;
    for (unsigned i = 0; i < BUCKETS; i++)
        for (struct word *word = buckets[i]; word; word = word->next) frequent += word->count * (uint64_t)word->text[0];
    printf("%u %llu %llu\n", words, (unsigned long long)frequent, (unsigned long long)h);
    return 0;
}
