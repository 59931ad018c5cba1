/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 3 */
/* sorting.c: the best offers are kept in order while offers arrive. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define KEPT 400

struct offer {
    unsigned price, number;
};
struct board {
    struct offer offer[KEPT + 1];
    size_t count;
};

static int by_price(const void *a, const void *b)
{
    const struct offer *x = a, *y = b;
    if (x->price != y->price)
        return x->price < y->price ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

static void board_add(struct board *b, struct offer offer)
{
    if (b->count == KEPT && by_price(&offer, &b->offer[KEPT - 1]) >= 0)
        return;
#ifndef FIXED
    b->offer[b->count++] = offer;
    qsort(b->offer, b->count, sizeof *b->offer, by_price); /* @ */
#else
    size_t at = b->count++;
    for (; at && by_price(&offer, &b->offer[at - 1]) < 0; at--)
        b->offer[at] = b->offer[at - 1];
    b->offer[at] = offer;
#endif
    if (b->count > KEPT)
        b->count = KEPT;
}

static unsigned noise(unsigned *seed)
{
    unsigned value = 0;
    for (int i = 0; i < 30; i++) {
        *seed = *seed * 1103515245 + 12345;
        value = value * 3 + (*seed >> 16);
    }
    return value;
}

int main(int argc, char **argv)
{
    unsigned markets = (unsigned)(160 * (argc > 1 ? atof(argv[1]) : 1)), seed = 3;
    unsigned long sum = 0;
    static struct board board;
    for (unsigned m = 0; m < markets; m++) {
        board.count = 0;
        for (unsigned i = 0; i < 2000; i++)
            board_add(&board, (struct offer){ noise(&seed) % 1000003, i });
        sum += board.offer[0].price + board.offer[board.count / 2].number;
    }
    printf("%lu\n", sum);
    return 0;
}
