/* SPDX-License-Identifier: MIT */
/* rule: growths */
/* sizes: 1 3 */
/* pairs.c: tickets that were sold twice, found by comparing each with all others, in weeks of several sizes. The function
 * is inlined into the loop over the weeks, which is no part of how its work grows. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 4000u

struct ticket {
    uint64_t number;
    uint32_t shop, day;
};

static struct ticket ticket[MOST];

#ifdef FIXED
static int by_number(const void *a, const void *b)
{
    uint64_t x = ((const struct ticket *)a)->number, y = ((const struct ticket *)b)->number;
    return x < y ? -1 : x > y;
}
#endif

static unsigned pairs_count(struct ticket *one, unsigned count)
{
    unsigned pairs = 0;
#ifdef FIXED
    qsort(one, count, sizeof *one, by_number);
    for (unsigned i = 1; i < count; i++) pairs += one[i].number == one[i - 1].number;
#else
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = i + 1; k < count; k++) /* @ */
            if (one[i].number == one[k].number) pairs++; /* @ */
#endif
    return pairs;
}

int main(int argc, char **argv)
{
    unsigned weeks = (unsigned)(40 * (argc > 1 ? atof(argv[1]) : 1)), pairs = 0;
    uint64_t state = 49;
    for (unsigned week = 0; week < weeks; week++) {
        unsigned count = 1500 + week * 700 % 2500;
        for (unsigned i = 0; i < count; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            ticket[i] = (struct ticket){ i % 100 == 99 ? ticket[i - 50].number : state, i, week };
        }
        pairs += pairs_count(ticket, count);
    }
    printf("%u\n", pairs);
    return 0;
}
