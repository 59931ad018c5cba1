/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* rule: formatting */
/* neither: rescans */
/* glossaries.c: words of glossaries are counted, which characters part that are given as a text: strchr looks for each
 * letter in it. None of these ways is long, though there are many. And each count is written as a text that nobody
 * reads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LETTERS 20000

__attribute__((noinline)) static unsigned words_count(const char *text, const char *parts)
{
    unsigned count = 0, within = 0;
    for (const char *p = text; *p; p++) {
        unsigned letter = !strchr(parts, *p);
        count += letter && !within;
        within = letter;
    }
    return count;
}

static uint64_t count_note(unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < 3000; i++) {
#ifdef FIXED
        sum = sum * 31 + (count + i) % 1000;
#else
        char note[40];
        snprintf(note, sizeof note, "%u", (count + i) % 1000); /* @ */
        sum = sum * 31 + (unsigned)atoi(note); /* @ */
#endif
    }
    return sum;
}

int main(int argc, char **argv)
{
    unsigned glossaries = (unsigned)(1000 * (argc > 1 ? atof(argv[1]) : 1));
    const char *parts = argc > 2 ? argv[2] : " ,;.:!?\t\n";
    static char text[LETTERS + 1];
    uint64_t sum = 0;
    uint32_t seed = 42;
    for (unsigned i = 0; i < LETTERS; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = (char)((seed >> 24) % 6 ? 'a' + (seed >> 20) % 16 : ' ');
    }
    for (unsigned i = 0; i < glossaries; i++) {
        text[i % LETTERS] ^= 1;
        sum = sum * 7 + count_note(words_count(text, parts));
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
