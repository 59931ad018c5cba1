/* SPDX-License-Identifier: MIT */
/* A windmill park: turns of wheels come in, the power of each is added to its hour, and now and then the park's forecast
 * is made anew. Prints the forecast's sum. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HOURS 4096u
#define OFTEN 4000u

struct park {
    uint64_t power[HOURS];
    uint64_t forecast[HOURS];
    uint8_t touched[HOURS];
};

static uint64_t wind(uint32_t *state)
{
    uint64_t gust = *state = *state * 1664525u + 1013904223u;
    for (unsigned i = 0; i < 150; i++) gust = (gust ^ i) * 1099511628211u;
    return gust >> 32;
}

static uint64_t hour_forecast(const struct park *park, unsigned hour)
{
    uint64_t sum = park->power[hour];
    for (unsigned i = 0; i < 30; i++) sum = (sum ^ park->power[hour]) * 1099511628211u;
    return sum;
}

static void park_forecast(struct park *park)
{
    for (unsigned round = 0; round < 8; round++)
        for (unsigned hour = 0; hour < HOURS; hour++) {
#ifdef FIXED
            if (!park->touched[hour]) continue;
            if (round == 7) park->touched[hour] = 0;
#endif
            park->forecast[hour] = hour_forecast(park, hour); /* @ */
        }
}

static void turn_take(struct park *park, unsigned turn, uint32_t *state)
{
    unsigned hour = turn / OFTEN * 16 % HOURS + turn % 16;
    park->power[hour] += wind(state);
    park->touched[hour] = 1;
    if (turn % OFTEN == OFTEN - 1) park_forecast(park); /* @ */
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned turns = (unsigned)(240000 * scale) + OFTEN;
    struct park *park = calloc(1, sizeof *park);
    uint32_t state = 5;
    if (!park) return 1;
    park_forecast(park);
    for (unsigned hour = 0; hour < HOURS; hour++) park->touched[hour] = 1;
    for (unsigned turn = 0; turn < turns; turn++) turn_take(park, turn, &state); /* @ */
    park_forecast(park);
    uint64_t sum = 0;
    for (unsigned hour = 0; hour < HOURS; hour++) sum += park->forecast[hour];
    free(park);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
