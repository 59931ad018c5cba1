/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.5 1 2 */
/* titled: counts */
/* does: beside */
/* least: 80 */
/* parades.c: the bands of a parade stand in a list, and each time it is looked whether all have passed, they are
 * counted. */
#include <stdio.h>
#include <stdlib.h>

struct band {
    unsigned players;
    struct band *next;
};
struct parade {
    struct band *first, *last;
    int count;
};

static void parade_add(struct parade *p, unsigned players)
{
    struct band *band = malloc(sizeof *band);
    if (!band)
        exit(1);
    *band = (struct band){ players, NULL };
    if (p->last)
        p->last->next = band;
    else
        p->first = band;
    p->last = band;
    p->count++;
}

static int parade_length(const struct parade *p)
{
#ifdef FIXED
    return p->count;
#else
    int count = 0;
    for (const struct band *band = p->first; band; band = band->next) /* @ */
        count++;
    return count;
#endif
}

int main(int argc, char **argv)
{
    int bands = (int)(10000 * (argc > 1 ? atof(argv[1]) : 1));
    struct parade parade = { 0 };
    unsigned sum = 0;
    for (int i = 0; i < bands; i++)
        parade_add(&parade, (unsigned)i * 7 % 40);
    const struct band *band = parade.first;
    for (int i = 0; i < parade_length(&parade); i++, band = band->next)
        sum = sum * 31 + band->players;
    printf("%u\n", sum);
    return 0;
}
