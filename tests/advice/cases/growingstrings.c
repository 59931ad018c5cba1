/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 3 */
/* growingstrings.c: a page of a catalogue, put together from entries, and a checksum over it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ENTRY_BYTES 24

struct page {
    char *text, *end;
    size_t entries;
};

static unsigned checksum(const char *text)
{
    unsigned sum = 1;
    for (; *text; text++)
        sum = sum * 31 + (unsigned char)*text;
    return sum;
}

static void entry_make(char *to, unsigned number)
{
    static const char digits[] = "0123456789abcdef";
    memcpy(to, "item ", 5);
    for (int i = 0; i < 8; i++)
        to[5 + i] = digits[number * 2654435761u >> (28 - 4 * i) & 15];
    memcpy(to + 13, ", ", 3);
}

static void page_add(struct page *p, const char *entry)
{
#ifndef FIXED
    strcat(p->text, entry); /* @ */
#else
    p->end = stpcpy(p->end, entry);
#endif
    p->entries++;
}

int main(int argc, char **argv)
{
    size_t count = (size_t)(120000 * (argc > 1 ? atof(argv[1]) : 1)), page = 20000;
    struct page p = { malloc(page * ENTRY_BYTES), NULL, 0 };
    char entry[ENTRY_BYTES];
    unsigned sum = 0;
    for (size_t i = 0; i < count; i += page) {
        p.text[0] = 0;
        p.end = p.text;
        for (size_t k = i; k < i + page && k < count; k++) {
            entry_make(entry, (unsigned)k);
            page_add(&p, entry);
        }
        for (int round = 0; round < 20; round++)
            sum ^= checksum(p.text) + (unsigned)round;
    }
    printf("%zu entries, %08x\n", p.entries, sum);
    free(p.text);
    return 0;
}
