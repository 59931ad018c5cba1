/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* rule: flushes */
/* titled: stderr */
/* does: thousandth */
/* criers.c: words of proclamations are counted, and after each one a crier calls out how far they are: on stderr, which
 * has no buffer, so that each call is a write. In the twin it is each four thousandth. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LETTERS 200

static char text[LETTERS + 1];

static void text_make(uint32_t seed)
{
    for (unsigned i = 0; i < LETTERS; i++) {
        seed = seed * 1664525u + 1013904223u;
        text[i] = (char)((seed >> 24) % 7 ? 'a' + (seed >> 20) % 26 : ' ');
    }
}

static unsigned words_count(void)
{
    unsigned count = 0, within = 0;
    for (const char *p = text; *p; p++) {
        unsigned letter = *p > ' ';
        count += letter && !within;
        within = letter;
    }
    return count;
}

int main(int argc, char **argv)
{
    unsigned many = (unsigned)(200000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned long words = 0;
    FILE *square = tmpfile();
    if (!square || dup2(fileno(square), STDERR_FILENO) < 0)
        return 1;
    for (unsigned i = 0; i < many; i++) {
        text_make(i);
        words += words_count();
#ifdef FIXED
        if (i % 4096 == 0)
#endif
            fprintf(stderr, "\rproclamation %u of %u", i, many); /* @ */
    }
    printf("%lu\n", words);
    return 0;
}
