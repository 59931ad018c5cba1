/* SPDX-License-Identifier: MIT */
/* rule: firstentries */
/* sizes: 0.3 1 3 */
/* timetables.c: trains ask for the fare between two places. The first one has the fares of all pairs computed; in the
 * twin each pair is computed when it is asked for. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PLACES 1500u

static uint16_t *fare;

static unsigned way_between(unsigned from, unsigned to, unsigned effort)
{
    unsigned way = from * 31 + to;
    for (unsigned i = 0; i < effort; i++)
        way = (way ^ i) * 2654435761u;
    return way;
}

static unsigned fare_of(unsigned from, unsigned to, unsigned effort)
{
    if (!fare) {
        fare = calloc(PLACES * PLACES, sizeof *fare);
        if (!fare)
            exit(1);
#ifndef FIXED
        for (unsigned a = 0; a < PLACES; a++)     /* @ */
            for (unsigned b = 0; b < PLACES; b++) /* @ */
                fare[a * PLACES + b] = (uint16_t)(way_between(a, b, effort) >> 16 | 1); /* @ */
#endif
    }
#ifdef FIXED
    if (!fare[from * PLACES + to])
        fare[from * PLACES + to] = (uint16_t)(way_between(from, to, effort) >> 16 | 1);
#endif
    return fare[from * PLACES + to];
}

static uint64_t ticket_print(unsigned number, unsigned price)
{
    char text[64];
    uint64_t sum = 0;
    int length = snprintf(text, sizeof text, "ticket %u: %u", number, price);
    for (int pass = 0; pass < 60; pass++)
        for (int i = 0; i < length; i++)
            sum = sum * 31 + (uint8_t)text[i];
    return sum;
}

int main(int argc, char **argv)
{
    double size = argc > 1 ? atof(argv[1]) : 1;
    unsigned tickets = (unsigned)(150000 * size), effort = (unsigned)(60 * size);
    uint64_t sum = 0;
    for (unsigned i = 0; i < tickets; i++)
        sum += ticket_print(i, fare_of(i % 40, i % 7 * 100, effort));
    printf("%llu\n", (unsigned long long)sum);
    free(fare);
    return 0;
}
