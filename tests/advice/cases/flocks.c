/* SPDX-License-Identifier: MIT */
/* rule: bits */
/* sizes: 0.5 1 2 */
/* wide: 0.5 1 3 */
/* does: __builtin_popcount */
/* says: count */
/* least: 80 */
/* flocks.c: which birds of a flock look alike, by the bits in which their marks differ. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t mark[20000];

static unsigned bits_count(uint64_t of)
{
    unsigned count = 0;
#ifdef FIXED
    count = (unsigned)__builtin_popcountll(of);
#else
    while (of) { /* @ */
        count += of & 1; /* @ */
        of >>= 1; /* @ */
    }
#endif
    return count;
}

int main(int argc, char **argv)
{
    int birds = (int)(2000 * (argc > 1 ? atof(argv[1]) : 1)), alike = 0;
    uint64_t state = 3;
    for (int i = 0; i < birds; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        mark[i] = state ^ state >> 31;
    }
    for (int i = 0; i < birds; i++)
        for (int k = 0; k < i; k++)
            alike += bits_count(mark[i] ^ mark[k]) < 24;
    printf("%d\n", alike);
    return 0;
}
