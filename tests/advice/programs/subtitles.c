/* SPDX-License-Identifier: MIT */
/* Prepares subtitles: makes pages of text, tidies their letters, and breaks them into rows. Prints rows and a sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PAGE 3000u
#define COLUMNS 42u

static void page_make(char *page, unsigned number)
{
    uint32_t seed = number * 2654435761u + 99;
    for (unsigned i = 0; i < PAGE; i++) {
        seed = seed * 1664525u + 1013904223u;
        unsigned kind = seed >> 27;
        char letter = (char)((kind & 1 ? 'A' : 'a') + (seed >> 16 & 255) % 26);
        page[i] = kind < 5 ? ' ' : kind == 5 ? '\t' : kind == 6 ? ',' : letter;
    }
    page[PAGE] = 0;
}

static unsigned page_tidy(char *page)
{
    unsigned changed = 0;
    char before = ' ';
#ifdef FIXED
    for (size_t i = 0, length = strlen(page); i < length; i++) {
#else
    for (size_t i = 0; i < strlen(page); i++) { /* @ */
#endif
        char c = page[i];
        if (c == '\t') c = ' ';
        else if (before == ' ' && c >= 'a' && c <= 'z') c = (char)(c - 32);
        else if (before != ' ' && c >= 'A' && c <= 'Z') c = (char)(c + 32);
        changed += c != page[i];
        before = page[i] = c;
    }
    return changed;
}

static unsigned page_break(const char *page)
{
    unsigned rows = 1, column = 0;
    const char *word = page;
    for (const char *c = page; *c; c++) {
        if (*c == ' ') word = c + 1;
        if (++column > COLUMNS) {
            rows++;
            column = (unsigned)(c - word) + 1;
            if (column > COLUMNS) column = 0;
        }
    }
    return rows;
}

static uint64_t page_weigh(const char *page, size_t length)
{
    uint64_t h = 0;
    for (unsigned pass = 0; pass < 24; pass++)
        for (size_t i = 0; i < length; i++) h = (h << 5 | h >> 59) + (uint8_t)page[i] * (uint64_t)(pass + 3);
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned pages = (unsigned)(4500 * scale) + 1, rows = 0, changed = 0;
    uint64_t sum = 0;
    static char page[PAGE + 1];
    for (unsigned i = 0; i < pages; i++) {
        page_make(page, i);
        changed += page_tidy(page);
        rows += page_break(page);
        sum ^= page_weigh(page, strlen(page));
    }
    printf("%u %u %llu\n", rows, changed, (unsigned long long)sum);
    return 0;
}
