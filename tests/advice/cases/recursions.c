/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* libraries: -lm */
/* recursions.c: bars of a length are cut into pieces that are worth most; a hall of another shape is measured by parts. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64, TILES = 1 << 16 };
static int price[LONGEST + 1];
static float tile[TILES];

static double polish(int length) { return price[length] * (1 - 0.01 * exp(-0.1 * length)); }

static double bar_worth(int length)
{
#ifdef FIXED
    static double kept[LONGEST + 1];
    static int of;
    if (of != price[0])
        memset(kept, 0, sizeof kept);
    of = price[0];
    if (kept[length] > 0)
        return kept[length];
#endif
    double most = 0;
    for (int piece = 1; piece <= length; piece++) {
        double worth = polish(piece) + bar_worth(length - piece); /* @ */
        most = worth > most ? worth : most;
    }
#ifdef FIXED
    kept[length] = most;
#endif
    return most;
}

/* Halves of a range are other numbers each time. */
static double tiles_sum(int from, int to)
{
    if (to - from < 2)
        return sqrt(tile[from]);
    int middle = (from + to) / 2;
    return tiles_sum(from, middle) + tiles_sum(middle, to);
}

int main(int argc, char **argv)
{
    int rounds = (int)(20 * (argc > 1 ? atof(argv[1]) : 1));
    double all = 0;
    for (int i = 0; i < TILES; i++)
        tile[i] = (float)(i % 97);
    for (int round = 0; round < rounds; round++) {
        price[0] = round + 1;
        for (int i = 1; i <= LONGEST; i++)
            price[i] = i * 10 + (i * 7 + round) % 5;
        all += bar_worth(20);
        all += tiles_sum(0, TILES) * 1e-9;
    }
    printf("%.6f\n", all);
    return 0;
}
