/* SPDX-License-Identifier: MIT */
/* rule: scalars */
/* flags: -O3 -fno-tree-vectorize */
/* does: -fno-tree-vectorize */
/* says: off */
/* lacks: -O2 */
/* mosaics.c: one picture is looked for in another, block by block. The build forbids vectors, so more optimization alone
 * brings none. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 512

#ifdef FIXED
#define VECTORS __attribute__((noinline, optimize("O3", "tree-vectorize")))
#else
#define VECTORS __attribute__((noinline))
#endif

VECTORS static unsigned blocks_differ(const uint8_t *one, const uint8_t *other)
{
    unsigned sum = 0;
    for (int i = 0; i < WIDTH; i++)
        sum += (unsigned)abs(one[i] - other[i]); /* @ */
    return sum;
}

int main(int argc, char **argv)
{
    int rounds = (int)(1000000 * (argc > 1 ? atof(argv[1]) : 1));
    uint8_t *picture = malloc(4 * WIDTH);
    unsigned least = ~0u;
    if (!picture)
        return 1;
    for (int i = 0; i < 4 * WIDTH; i++)
        picture[i] = (uint8_t)(i * 2654435761u >> 24);
    for (int r = 0; r < rounds; r++) {
        unsigned sum = blocks_differ(picture, picture + WIDTH + r % WIDTH);
        least = sum < least ? sum : least;
    }
    printf("%d rounds, %u\n", rounds, least);
    free(picture);
    return 0;
}
