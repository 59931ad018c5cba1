/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* berths.c: ships that call at a port are found by their numbers. With FIXED a hash says near which berth, and the walk
 * from there, which ends at the last berth and goes on at the first one, is no search from one end to the other. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SHIPS 3000u
#define BERTHS 8192u

static struct berth {
    uint32_t ship, calls;
} berth[BERTHS];

static uint32_t number_of(uint32_t ship) { return 7000 + ship * 7919; }

static struct berth *berth_find(uint32_t ship)
{
#ifdef FIXED
    uint32_t at = (ship * 2654435761u >> 7) % BERTHS;
    while (berth[at].ship != ship) {
        if (!berth[at].ship)
            return &berth[at];
        if (++at == BERTHS)
            at = 0;
    }
    return &berth[at];
#else
    for (uint32_t at = 0; at < BERTHS; at++)
        if (berth[at].ship == ship) /* @ */
            return &berth[at];
    return NULL;
#endif
}

int main(int argc, char **argv)
{
#ifdef FIXED
    double work = 20e6;
#else
    double work = 300e3;
#endif
    uint32_t count = (uint32_t)(work * (argc > 1 ? atof(argv[1]) : 1)), state = 5, calls = 0, ships = 0;
    for (uint32_t i = 0; i < SHIPS; i++) {
#ifdef FIXED
        berth_find(number_of(i))->ship = number_of(i);
#else
        berth[i].ship = number_of(i);
#endif
    }
    for (uint32_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        berth_find(number_of((state >> 8) % SHIPS))->calls++;
    }
    for (uint32_t i = 0; i < BERTHS; i++) {
        ships += berth[i].ship != 0;
        calls += berth[i].calls;
    }
    printf("%u ships, %s\n", ships, calls == count ? "each call found" : "lost");
    return 0;
}
