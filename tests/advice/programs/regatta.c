/* SPDX-License-Identifier: MIT */
/* A regatta: boats cross the line, and the board shows them by handicapped time. Prints a digest of the final board. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct boat {
    uint32_t sail;
    uint32_t seconds;
};

static struct boat *board;
static unsigned crossed;

static int boat_compare(const void *a, const void *b)
{
    const struct boat *one = a, *other = b;
    if (one->seconds != other->seconds) return one->seconds < other->seconds ? -1 : 1;
    return one->sail < other->sail ? -1 : one->sail > other->sail;
}

static uint32_t handicap(uint32_t sail)
{
    uint32_t seconds = sail * 2654435761u;
    for (int i = 0; i < 60000; i++) seconds = seconds * 1664525u + 1013904223u;
    return seconds >> 8;
}

static void boat_cross(uint32_t sail)
{
    board[crossed].sail = sail;
    board[crossed].seconds = handicap(sail);
    crossed++;
#ifndef FIXED
    qsort(board, crossed, sizeof *board, boat_compare); /* @ */
#endif
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned boats = (unsigned)(3500 * scale) + 1;
    uint64_t digest = 1;
    board = malloc(boats * sizeof *board);
    if (!board) return 1;
    for (unsigned i = 0; i < boats; i++) boat_cross(i); /* @ */
#ifdef FIXED
    qsort(board, crossed, sizeof *board, boat_compare);
#endif
    for (unsigned i = 0; i < boats; i++) digest = (digest ^ board[i].sail) * 1099511628211ULL;
    printf("%llu\n", (unsigned long long)digest);
    free(board);
    return 0;
}
