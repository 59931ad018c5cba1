/* SPDX-License-Identifier: MIT */
/* rule: sorting */
/* says: comparisons, */
/* sizes: 1 3 */
/* base: 10 */
/* standings.c: after each round of a regatta boats are sorted by their points, of which few have changed places. All of
 * it is in main, which is called once: that says nothing of how often it sorts. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BOATS 3000u

struct boat {
    uint32_t sail, points, won;
};

static struct boat boat[BOATS];

static int by_points(const void *a, const void *b)
{
    const struct boat *x = a, *y = b;
    if (x->points != y->points)
        return x->points > y->points ? -1 : 1;
    return x->sail < y->sail ? -1 : x->sail > y->sail;
}

int main(int argc, char **argv)
{
    uint32_t rounds = (uint32_t)(400 * (argc > 1 ? atof(argv[1]) : 1)), wind = 5;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < BOATS; i++)
        boat[i] = (struct boat){ i, 1000, 0 };
    for (uint32_t round = 0; round < rounds; round++) {
        for (uint32_t i = 0; i < 40; i++) {
            for (uint32_t gust = 0; gust < 500; gust++)
                wind = wind * 1664525u + 1013904223u;
            struct boat *one = &boat[(wind >> 10) % BOATS];
            one->points += wind >> 28;
            one->won++;
        }
#ifndef FIXED
        qsort(boat, BOATS, sizeof *boat, by_points); /* @ */
#else
        for (uint32_t i = 1; i < BOATS; i++) {
            struct boat one = boat[i];
            uint32_t at = i;
            for (; at && by_points(&one, &boat[at - 1]) < 0; at--)
                boat[at] = boat[at - 1];
            boat[at] = one;
        }
#endif
        sum = sum * 31 + boat[round % BOATS].sail;
    }
    printf("%llx, first is %u\n", (unsigned long long)sum, boat[0].sail);
    return 0;
}
