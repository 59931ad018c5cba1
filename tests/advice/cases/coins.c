/* SPDX-License-Identifier: MIT */
/* rule: strides */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* least: 20 */
/* titled: steps */
/* does: piece */
/* coins.c: every second coin is turned, then every third, and so on. There are no rows, and no loop to swap. */
#include <stdio.h>
#include <stdlib.h>

#define PIECE (1 << 17)

static void coins_turn(unsigned char *coin, long count, long most)
{
#ifdef FIXED
    long *at = malloc(sizeof *at * (size_t)(most + 1));
    for (long step = 2; step <= most; step++)
        at[step] = step;
    for (long end = PIECE; end < count + PIECE; end += PIECE)
        for (long step = 2; step <= most; step++)
            for (; at[step] < end && at[step] < count; at[step] += step)
                coin[at[step]] ^= 1;
    free(at);
#else
    for (long step = 2; step <= most; step++)
        for (long i = step; i < count; i += step)
            coin[i] ^= 1; /* @ */
#endif
}

int main(int argc, char **argv)
{
    long count = (long)(12000000 * (argc > 1 ? atof(argv[1]) : 1)), heads = 0;
    unsigned char *coin = calloc((size_t)count, 1);
    if (!coin)
        return 1;
    coins_turn(coin, count, 1000);
    for (long i = 0; i < count; i++)
        heads += coin[i];
    printf("%ld of %ld\n", heads, count);
    free(coin);
    return 0;
}
