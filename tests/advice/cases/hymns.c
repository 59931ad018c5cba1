/* SPDX-License-Identifier: MIT */
/* rule: lengths */
/* does: before the loop */
/* sizes: 1 2 4 */
/* base: 5 */
/* most: 30 */
/* hymns.c: verses get their blanks for the choir, and their letters are summed up for longer than that. The condition
 * of the loop measures the verse in each round. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned long seen[256];

static size_t verse_make(char *verse, unsigned number)
{
    size_t length = 300 + number % 200;
    for (size_t i = 0; i < length; i++)
        verse[i] = "sing\to ye bells of morning"[(i + number) % 26];
    verse[length] = 0;
    return length;
}

static void verse_space(char *verse)
{
    size_t i = 0;
#ifndef FIXED
    while (i < strlen(verse)) { /* @ */
#else
    size_t length = strlen(verse);
    while (i < length) {
#endif
        if (verse[i] == '\t')
            verse[i] = ' ';
        seen[(unsigned char)verse[i]]++;
        i++;
    }
}

static uint32_t verse_sum(const char *verse, size_t length, uint32_t sum)
{
    for (int voice = 0; voice < 40; voice++)
        for (size_t i = 0; i < length; i++)
            sum = (sum ^ (uint8_t)verse[i]) * 16777619u;
    return sum;
}

int main(int argc, char **argv)
{
    unsigned verses = (unsigned)(8000 * (argc > 1 ? atof(argv[1]) : 1));
    static char verse[512];
    uint32_t sum = 1;
    for (unsigned i = 0; i < verses; i++) {
        size_t length = verse_make(verse, i);
        verse_space(verse);
        sum = verse_sum(verse, length, sum);
    }
    printf("%08x, %lu blanks\n", sum, seen[' ']);
    return 0;
}
