/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* structures.c: parcels go by their weight to one of several vans. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PARCELS 512

struct parcel {
    uint32_t number, grams, size[3];
    char street[120], town[60];
};

static struct parcel parcel[PARCELS];

#ifndef FIXED
#define HANDED struct parcel
#define FIELD .
#define HAND(p) (p)
#else
#define HANDED const struct parcel *
#define FIELD ->
#define HAND(p) (&(p))
#endif

__attribute__((noinline)) uint32_t van_of(HANDED p, uint32_t vans)
{
    uint32_t volume = p FIELD size[0] * p FIELD size[1] * p FIELD size[2];
    return (p FIELD grams + volume / 1024 + (uint32_t)p FIELD town[0]) % vans;
}

int main(int argc, char **argv)
{
    uint32_t rounds = (uint32_t)(60000 * (argc > 1 ? atof(argv[1]) : 1)), load[16] = { 0 }, sum = 0;
    for (uint32_t i = 0; i < PARCELS; i++) {
        parcel[i].number = i;
        parcel[i].grams = i * 2654435761u >> 18;
        for (uint32_t k = 0; k < 3; k++)
            parcel[i].size[k] = 10 + (i * 31 + k * 7) % 90;
        snprintf(parcel[i].street, sizeof parcel[i].street, "street %u", i * 7 % 91);
        snprintf(parcel[i].town, sizeof parcel[i].town, "%c town", 'a' + (int)(i % 26));
    }
    for (uint32_t r = 0; r < rounds; r++)
        for (uint32_t i = 0; i < PARCELS; i++)
            load[van_of(HAND(parcel[i]), 16)] += parcel[i].grams; /* @ */
    for (uint32_t i = 0; i < 16; i++)
        sum = sum * 31 + load[i];
    printf("%u rounds, %u\n", rounds, sum);
    return 0;
}
