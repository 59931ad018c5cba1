/* SPDX-License-Identifier: MIT */
/* Loads trucks: which of the goods fit best into each. Prints the value of all that was loaded. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GOODS 7
#define ROOM 20

static uint32_t weight[GOODS], value[GOODS];

static void goods_come(uint32_t truck)
{
    for (uint32_t i = 0; i < GOODS; i++) {
        uint32_t seed = (truck * GOODS + i) * 2654435761u;
        weight[i] = 2 + (seed >> 9) % 12;
        value[i] = 10 + (seed >> 17) % 90;
    }
}

static uint32_t truck_load(void)
{
#ifdef FIXED
    static uint32_t row[2][ROOM + 1];
    uint32_t *best = row[0], *other = row[1];
    memset(best, 0, sizeof row[0]);
#else
    uint32_t *best = calloc(ROOM + 1, sizeof *best); /* @ */
    if (!best) exit(1);
#endif
    for (int i = 0; i < GOODS; i++) {
#ifndef FIXED
        uint32_t *other = malloc((ROOM + 1) * sizeof *other); /* @ */
        if (!other) exit(1);
#endif
        for (uint32_t room = 0; room <= ROOM; room++) {
            other[room] = best[room];
            if (room >= weight[i] && best[room - weight[i]] + value[i] > other[room]) other[room] = best[room - weight[i]] + value[i];
        }
#ifdef FIXED
        uint32_t *swap = best;
        best = other;
        other = swap;
#else
        free(best); /* @ */
        best = other;
#endif
    }
    uint32_t most = best[ROOM];
#ifndef FIXED
    free(best);
#endif
    return most;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    uint32_t trucks = (uint32_t)(900000 * scale) + 1;
    uint64_t sum = 0;
    for (uint32_t i = 0; i < trucks; i++) {
        goods_come(i);
        sum += truck_load();
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
