/* SPDX-License-Identifier: MIT */
/* Finds the region of addresses by their codes. Regions follow from a rule that takes some computing; requests are few
 * and ask for the same codes again. Prints the requests of each region. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define REGIONS 12u
#define ASKED 997u

struct regions {
    uint8_t *region;
    unsigned codes;
};

static uint8_t code_compute(unsigned code)
{
    uint64_t h = code + 1;
    for (int i = 0; i < 60; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return (uint8_t)(1 + h % REGIONS);
}

static unsigned region_of(struct regions *regions, unsigned code)
{
    if (!regions->region) {
        regions->region = calloc(regions->codes, 1);
        if (!regions->region) exit(1);
#ifndef FIXED
        for (unsigned i = 0; i < regions->codes; i++) regions->region[i] = code_compute(i); /* @ */
#endif
    }
#ifdef FIXED
    if (!regions->region[code]) regions->region[code] = code_compute(code);
#endif
    return regions->region[code] - 1u;
}

static uint64_t address_print(unsigned number, unsigned region)
{
    char label[64];
    uint64_t h = 14695981039346656037ULL;
    int length = snprintf(label, sizeof label, "%u Long Street, region %u", number, region);
    for (int pass = 0; pass < 20; pass++)
        for (int i = 0; i < length; i++) h = (h ^ (uint8_t)label[i]) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned requests = (unsigned)(350000 * scale) + 1;
    struct regions regions = { NULL, (unsigned)(3500000 * scale) + ASKED };
    uint64_t by_region[REGIONS] = { 0 }, sum = 0;
    for (unsigned i = 0; i < requests; i++) {
        unsigned code = i * 2654435761u % ASKED * (regions.codes / ASKED);
        unsigned region = region_of(&regions, code);
        by_region[region]++;
        sum ^= address_print(i, region);
    }
    for (unsigned i = 0; i < REGIONS; i++) printf("%llu ", (unsigned long long)by_region[i]);
    printf("%llu\n", (unsigned long long)sum);
    free(regions.region);
    return 0;
}
