/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 3 */
/* digests.c: a library lends books to those who have not got the present print of them. Prints are told apart by a sum
 * over the text, and few of them are changed. The twin keeps the sum beside the text. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BOOKS 40
#define READERS 100

struct book {
    uint32_t bytes;
    unsigned char *text;
    uint64_t print;
};

static struct book book[BOOKS];
static uint64_t seen[READERS][BOOKS];

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static uint64_t print_of(const unsigned char *text, uint32_t bytes)
{
    uint64_t sum = 14695981039346656037u;
    for (uint32_t i = 0; i < bytes; i++) /* @ */
        sum = (sum ^ text[i]) * 1099511628211u; /* @ */
    return sum;
}

static int lend(unsigned reader, struct book *of)
{
#ifdef FIXED
    uint64_t print = of->print;
#else
    uint64_t print = print_of(of->text, of->bytes);
#endif
    if (seen[reader][of - book] == print)
        return 0;
    seen[reader][of - book] = print;
    return 1;
}

int main(int argc, char **argv)
{
    unsigned visits = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1)), lent = 0;
    uint32_t seed = 7;
    for (int i = 0; i < BOOKS; i++) {
        book[i].bytes = 15000 + next(&seed) % 9000;
        book[i].text = malloc(book[i].bytes);
        for (uint32_t k = 0; k < book[i].bytes; k++)
            book[i].text[k] = (unsigned char)(' ' + next(&seed) % 90);
        book[i].print = print_of(book[i].text, book[i].bytes);
    }
    for (unsigned i = 0; i < visits; i++) {
        struct book *of = &book[next(&seed) % BOOKS];
        lent += (unsigned)lend(next(&seed) % READERS, of);
        if (i % 500 == 499) {
            of = &book[next(&seed) % BOOKS];
            of->text[next(&seed) % of->bytes] = 'x';
            of->print = print_of(of->text, of->bytes);
        }
    }
    printf("%u of %u\n", lent, visits);
    return 0;
}
