/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* memsets.c: words of sentences are looked up; each sentence says which of its letters it has. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARKS 65536

struct scratch {
    unsigned char mark[MARKS];
    uint16_t touched[64];
    unsigned touched_count;
};
static struct scratch scratch;

static unsigned pair_next(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 16 & (MARKS - 1);
}

static unsigned sentence_pairs(unsigned *seed, unsigned length)
{
    unsigned different = 0;
#ifndef FIXED
    memset(&scratch, 0, sizeof scratch); /* @ */
#else
    for (unsigned i = 0; i < scratch.touched_count; i++)
        scratch.mark[scratch.touched[i]] = 0;
    scratch.touched_count = 0;
#endif
    for (unsigned i = 0; i < length; i++) {
        unsigned pair = pair_next(seed);
        if (!scratch.mark[pair]) {
            scratch.mark[pair] = 1;
            scratch.touched[scratch.touched_count++] = (uint16_t)pair;
            different++;
        }
    }
    return different;
}

static unsigned long mixed(unsigned long value)
{
    for (int i = 0; i < 120; i++)
        value = (value ^ value >> 13) * 0x9e3779b97f4a7c15u;
    return value;
}

int main(int argc, char **argv)
{
    unsigned sentences = (unsigned)(250000 * (argc > 1 ? atof(argv[1]) : 1)), seed = 1;
    unsigned long different = 0, mix = 0;
    for (unsigned i = 0; i < sentences; i++) {
        unsigned found = sentence_pairs(&seed, 20 + i % 40);
        different += found;
        mix += mixed(found + i);
    }
    printf("%lu pairs, %lx\n", different, mix);
    return 0;
}
