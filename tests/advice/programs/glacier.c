/* SPDX-License-Identifier: MIT */
/* A glacier on a grid of heights: each year snow falls on every field, the heaviest column of each strip is found and
 * ice flows down. Prints the sum of the heaviest columns and of all heights. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 1024

struct glacier {
    int32_t height[SIDE][SIDE];
    int64_t column[SIDE];
};

static void snow_fall(struct glacier *g, uint32_t year)
{
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) g->height[y][x] += (int32_t)((x * 7 + y * 13 + year) & 15);
}

static void columns_weigh(struct glacier *g)
{
#ifdef FIXED
    for (unsigned x = 0; x < SIDE; x++) g->column[x] = 0;
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            int32_t h = g->height[y][x];
            g->column[x] += h - (h >> 3);
        }
#else
    for (unsigned x = 0; x < SIDE; x++) {
        int64_t sum = 0;
        for (unsigned y = 0; y < SIDE; y++) { /* @ */
            int32_t h = g->height[y][x]; /* @ */
            sum += h - (h >> 3);
        }
        g->column[x] = sum;
    }
#endif
}

static int64_t heaviest(const struct glacier *g)
{
    int64_t most = 0;
    for (unsigned x = 0; x < SIDE; x++)
        if (g->column[x] > most) most = g->column[x];
    return most;
}

static void ice_flow(struct glacier *g)
{
    for (unsigned y = 0; y + 1 < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            int32_t flow = (g->height[y][x] - g->height[y + 1][x]) / 8;
            g->height[y][x] -= flow;
            g->height[y + 1][x] += flow;
        }
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned years = (unsigned)(90 * scale) + 1;
    struct glacier *g = calloc(1, sizeof *g);
    if (!g) return 1;
    int64_t most = 0, all = 0;
    for (unsigned year = 0; year < years; year++) {
        snow_fall(g, year);
        columns_weigh(g);
        most += heaviest(g);
        ice_flow(g);
    }
    for (unsigned x = 0; x < SIDE; x++) all += g->column[x];
    free(g);
    printf("%lld %lld\n", (long long)most, (long long)all);
    return 0;
}
