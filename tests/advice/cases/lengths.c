/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 3 */
/* lengths.c: letters of long lines are counted and put into capitals. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long seen[256];

static void line_fill(char *line, size_t length, unsigned seed)
{
    for (size_t i = 0; i < length; i++) {
        seed = seed * 1103515245 + 12345;
        line[i] = "etaoin shrdlu, cmfwyp"[(seed >> 16) % 21];
    }
    line[length] = 0;
}

static void line_raise(char *line)
{
#ifndef FIXED
    for (size_t i = 0; i < strlen(line); i++) { /* @ */
#else
    size_t length = strlen(line);
    for (size_t i = 0; i < length; i++) {
#endif
        seen[(unsigned char)line[i]]++;
        line[i] = (char)toupper((unsigned char)line[i]);
    }
}

static unsigned long words_in(const char *line)
{
    unsigned long words = 0;
    for (const char *at = line; *at; at++)
        words += *at == ' ' && at[1] != ' ';
    return words;
}

int main(int argc, char **argv)
{
    int lines = (int)(60 * (argc > 1 ? atof(argv[1]) : 1));
    size_t length = 20000;
    char *line = malloc(length + 1);
    unsigned long words = 0;
    for (int i = 0; i < lines; i++) {
        line_fill(line, length, (unsigned)i);
        line_raise(line);
        for (int k = 0; k < 40; k++)
            words += words_in(line);
    }
    printf("%lu words, %lu times E\n", words, seen['e']);
    free(line);
    return 0;
}
