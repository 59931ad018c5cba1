/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rule: rescans */
/* rewalks.c: a table of words in one string; the word of a number is found by going over all characters before it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORDS 2000u

static char text[WORDS * 8 + 1];
#ifdef FIXED
static unsigned start[WORDS];
#endif

static unsigned word_start(unsigned number)
{
#ifdef FIXED
    return start[number];
#else
    unsigned at = 0;
    for (unsigned spaces = 0; spaces < number; at++) /* @ */
        spaces += text[at] == ' '; /* @ */
    return at;
#endif
}

int main(int argc, char **argv)
{
    unsigned asked = (unsigned)(60000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0, seed = 42;
    unsigned used = 0;
    for (unsigned i = 0; i < WORDS; i++) {
#ifdef FIXED
        start[i] = used;
#endif
        used += (unsigned)sprintf(text + used, "%c%x ", 'a' + (int)(i % 26), i % 4096);
    }
    for (unsigned i = 0; i < asked; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        unsigned at = word_start((unsigned)(seed >> 33) % WORDS);
        for (int again = 0; again < 60; again++)
            for (unsigned k = at; text[k] != ' '; k++)
                sum = sum * 31 + (unsigned char)text[k];
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
