/* SPDX-License-Identifier: MIT */
/* hottest.c MIX MS: four lines that take turns, one of them the hottest, for hottest.py. Each reads the clock after each
 * piece of work, and all pieces of a line are the same: the mean of those that nobody interrupted for long, times their
 * number, is the line's time. Their median is no such mean: pieces are fast or slow, as others leave the caches.
 * It prints "LINE NS" for each. */
#include <stdlib.h>

#include "../truth/truth.h"

enum { ROWS = 4, MIXES = 5, MOST = 1 << 20 };
static const int mix[MIXES][ROWS] = { { 8, 31, 31, 30 }, { 31, 23, 23, 23 }, { 12, 10, 70, 8 }, { 34, 33, 16, 17 }, { 5, 5, 5, 85 } };
static struct { int line, pieces; float took[MOST]; } row[ROWS];

#define PIECE(r, rounds) do { uint64_t from_ = now_ns(); for (volatile long left_ = (rounds); left_ > 0; left_--) {} \
        if (row[r].pieces < MOST) row[r].took[row[r].pieces++] = (float)(now_ns() - from_); row[r].line = __LINE__; } while (0)

static __attribute__((noinline)) void turn(const int *part, long unit)
{
    PIECE(0, part[0] * unit);
    PIECE(1, part[1] * unit);
    PIECE(2, part[2] * unit);
    PIECE(3, part[3] * unit);
}

static int ascending(const void *a, const void *b)
{
    float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    const int *part = mix[argc > 1 ? atoi(argv[1]) % MIXES : 0];
    double ms = argc > 2 ? atof(argv[2]) : 100;
    uint64_t start = cpu_ns();
    while ((double)(cpu_ns() - start) < ms * 1e6)
        for (int i = 0; i < 10; i++)
            turn(part, 1000);                   /* some 100 us: reading the clock is no part of it */
    for (int r = 0; r < ROWS; r++) {
        qsort(row[r].took, (size_t)row[r].pieces, sizeof *row[r].took, ascending);
        double sum = 0, most = 2 * (double)row[r].took[row[r].pieces / 2] + 500;
        int kept = 0;
        while (kept < row[r].pieces && row[r].took[kept] <= most)
            sum += row[r].took[kept++];
        printf("%d %.0f\n", row[r].line, sum / kept * row[r].pieces);
    }
    return 0;
}
