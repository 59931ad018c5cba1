/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.5 1 2 */
/* titled: n-th */
/* least: 40 */
/* beads.c: beads on a string are looked at by their numbers, and painted one after the other. */
#include <stdio.h>
#include <stdlib.h>

#define BEADS 4000

static struct bead {
    unsigned colour;
    struct bead *next;
} *string, *bead[BEADS];

__attribute__((noinline)) static struct bead *bead_at(int number)
{
#ifdef FIXED
    return bead[number];
#else
    struct bead *at = string;
    while (number-- > 0) /* @ */
        at = at->next;
    return at;
#endif
}

static unsigned beads_paint(void)
{
    unsigned sum = 0;
    for (struct bead *at = string; at; at = at->next)
        sum += at->colour = at->colour * 7 + 3;
    return sum;
}

int main(int argc, char **argv)
{
    unsigned looks = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1)), state = 9, sum = 0;
    for (int i = BEADS; i-- > 0;) {
        bead[i] = malloc(sizeof **bead);
        if (!bead[i])
            return 1;
        *bead[i] = (struct bead){ (unsigned)i, string };
        string = bead[i];
    }
    for (unsigned i = 0; i < looks; i++) {
        state = state * 1664525u + 1013904223u;
        sum += bead_at((int)(state >> 8) % BEADS)->colour;
        if (i % 64 == 0)
            sum += beads_paint();
    }
    printf("%u looks, %u\n", looks, sum);
    return 0;
}
