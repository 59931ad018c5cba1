/* SPDX-License-Identifier: MIT */
/* rule: pauses */
/* sizes: 0.3 1 3 */
/* lighthouses.c: sightings of ships are entered, and after every 4000th the map of the sea is drawn anew; in the twin
 * only the fields are that have changed. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define FIELDS 80000u
#define OFTEN 4000u

static uint32_t seen[FIELDS], drawn[FIELDS];
#ifdef FIXED
static unsigned changed[OFTEN];
#endif
static unsigned entered;

static uint32_t field_draw(unsigned field)
{
    uint32_t ink = seen[field];
    for (unsigned i = 0; i < 35; i++)
        ink = (ink ^ ink >> 13) * 0x5bd1e995u;
    return ink;
}

static void map_draw(void)
{
#ifdef FIXED
    for (unsigned i = 0; i < entered; i++)
        drawn[changed[i]] = field_draw(changed[i]);
#else
    for (unsigned i = 0; i < FIELDS; i++) /* @ */
        drawn[i] = field_draw(i); /* @ */
#endif
    entered = 0;
}

static void sighting_enter(unsigned number)
{
    uint32_t place = number;
    for (unsigned i = 0; i < 500; i++)
        place = place * 1664525u + 1013904223u;
    place = (place >> 8) % FIELDS;
    seen[place] += number;
#ifdef FIXED
    changed[entered] = place;
#endif
    if (++entered == OFTEN)
        map_draw(); /* @ */
}

int main(int argc, char **argv)
{
    unsigned sightings = (unsigned)(500000 * (argc > 1 ? atof(argv[1]) : 1)) / OFTEN * OFTEN;
    uint64_t sum = 0;
    for (unsigned i = 0; i < FIELDS; i++)
        drawn[i] = field_draw(i);
    for (unsigned i = 0; i < sightings; i++)
        sighting_enter(i);
    for (unsigned i = 0; i < FIELDS; i++)
        sum = sum * 31 + drawn[i];
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
