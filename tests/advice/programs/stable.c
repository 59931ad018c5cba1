/* SPDX-License-Identifier: MIT */
/* A stable's horses and the laps that each of them ran: laps come one by one and are kept for each horse. Prints the
 * number of laps and a sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct lap {
    uint32_t day, ms;
};

struct horse {
    struct lap *lap;
    size_t count;
#ifdef FIXED
    size_t room;
#endif
};

static uint32_t next(uint32_t *state)
{
    return *state = *state * 1664525u + 1013904223u;
}

static void horse_ran(struct horse *horse, struct lap lap)
{
#ifdef FIXED
    if (horse->count == horse->room) {
        horse->room = 2 * horse->room + 16;
        horse->lap = realloc(horse->lap, horse->room * sizeof *horse->lap);
    }
#else
    horse->lap = realloc(horse->lap, (horse->count + 1) * sizeof *horse->lap); /* @ */
#endif
    if (!horse->lap) exit(1);
    horse->lap[horse->count++] = lap;
}

static uint64_t horse_sum(const struct horse *horse)
{
    uint64_t sum = 1;
    for (unsigned pass = 0; pass < 8; pass++)
        for (size_t i = 0; i < horse->count; i++) sum = (sum ^ horse->lap[i].ms) * 1099511628211u;
    return sum;
}

static uint32_t lap_time(uint32_t *state)
{
    uint32_t ms = 60000;
    for (unsigned hurdle = 0; hurdle < 4; hurdle++) ms += next(state) >> 24;
    return ms;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned seasons = (unsigned)(12 * scale) + 1, horses = 60;
    uint32_t state = 99;
    uint64_t sum = 0, laps = 0;
    for (unsigned season = 0; season < seasons; season++) {
        struct horse *horse = calloc(horses, sizeof *horse);
        if (!horse) return 1;
        for (unsigned day = 0; day < 6000; day++)
            for (unsigned run = 0; run < 20; run++) horse_ran(&horse[next(&state) >> 16 % 31 & 31], (struct lap){ day, lap_time(&state) });
        for (unsigned i = 0; i < horses; i++) {
            sum ^= horse_sum(&horse[i]);
            laps += horse[i].count;
            free(horse[i].lap);
        }
        free(horse);
    }
    printf("%llu %llu\n", (unsigned long long)laps, (unsigned long long)sum);
    return 0;
}
