/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: searches */
/* does: last */
/* queues.c: guests of each evening line up, and who comes goes along the whole line to its end. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GUESTS 3000u

struct guest {
    struct guest *behind;
    uint32_t number, coats;
};

static struct guest guest[GUESTS], *line;
#ifdef FIXED
static struct guest *last;
#endif

static void line_join(struct guest *g)
{
    g->behind = NULL;
    if (!line)
        line = g;
#ifdef FIXED
    else
        last->behind = g;
    last = g;
#else
    else {
        struct guest *at = line;
        while (at->behind) /* @ */
            at = at->behind; /* @ */
        at->behind = g;
    }
#endif
}

static uint32_t coat_hang(uint32_t number)
{
    for (int i = 0; i < 2000; i++)
        number = number * 1664525u + 1013904223u;
    return number >> 28;
}

int main(int argc, char **argv)
{
    unsigned evenings = (unsigned)(20 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    for (unsigned evening = 0; evening < evenings; evening++) {
        line = NULL;
        for (uint32_t i = 0; i < GUESTS; i++) {
            guest[i].number = evening * GUESTS + i;
            guest[i].coats = coat_hang(guest[i].number);
            line_join(&guest[i]);
        }
        for (struct guest *g = line; g; g = g->behind)
            sum = sum * 31 + g->coats;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
