/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rule: searches */
/* cards.c: a library's desk finds the card of each book that comes back in one long list, and writes a receipt. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define CARDS 6000u

struct card {
    struct card *next, *same; /* same: in its drawer */
    uint32_t number, lent;
    uint64_t seal;
};

static struct card *first;
#ifdef FIXED
static struct card *drawer[8192];
#endif

static struct card *card_find(uint32_t number)
{
#ifdef FIXED
    for (struct card *c = drawer[number * 2654435761u >> 19]; c; c = c->same)
#else
    for (struct card *c = first; c; c = c->next) /* @ */
#endif
        if (c->number == number) /* @ */
            return c;
    return NULL;
}

static uint64_t receipt_seal(uint64_t seal)
{
    for (int i = 0; i < 6000; i++)
        seal = (seal ^ seal >> 29) * 0xbf58476d1ce4e5b9ULL + (uint64_t)i;
    return seal;
}

int main(int argc, char **argv)
{
    unsigned returns = (unsigned)(90000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0, seed = 42;
    for (uint32_t i = 0; i < CARDS; i++) {
        struct card *c = calloc(1, sizeof *c);
        if (!c)
            return 1;
        c->number = i * 7919u;
        c->next = first;
        first = c;
#ifdef FIXED
        c->same = drawer[c->number * 2654435761u >> 19];
        drawer[c->number * 2654435761u >> 19] = c;
#endif
    }
    for (unsigned i = 0; i < returns; i++) {
        seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
        struct card *c = card_find((uint32_t)(seed >> 33) % CARDS * 7919u);
        if (!c)
            return 2;
        c->lent++;
        c->seal = receipt_seal(c->seal + c->lent);
        sum += c->seal;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
