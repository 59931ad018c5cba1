/* SPDX-License-Identifier: MIT */
/* Gardens dry between rains: from each bed water drains hour by hour, and some of it is found in the well a while
 * later. Prints the water in the wells in steps of a thousandth, and how many hours were wet. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HOURS 8000

struct bed {
    float water, well, drains, sinks;
};

static float rain[HOURS];

static unsigned bed_dry(struct bed *bed)
{
    float water = bed->water, well = bed->well;
    unsigned wet = 0;
    for (int hour = 0; hour < HOURS; hour++) {
        float drained = bed->drains * water + bed->sinks * well; /* @ */
#ifdef FIXED
        if (drained < 1e-20f) drained = 0;
#endif
        well = water;
        water = drained + rain[hour];
        wet += water > 0.01f;
    }
    bed->water = water;
    bed->well = well;
    return wet;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0, found = 0;
    unsigned beds = (unsigned)(36000 * scale) + 1, wet = 0;
    for (int hour = 0; hour < HOURS; hour += 2000) rain[hour] = 2.5f;
    for (unsigned i = 0; i < beds; i++) {
        struct bed bed = { .drains = 0.4f + (float)(i % 16) / 64, .sinks = 0.2f };
        wet += bed_dry(&bed);
        found += bed.well > 1e-3f ? (double)bed.well : 0;
    }
    printf("%.3f %u\n", found, wet);
    return 0;
}
