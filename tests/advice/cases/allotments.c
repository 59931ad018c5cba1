/* SPDX-License-Identifier: MIT */
/* rule: slowbatches */
/* sizes: 0.3 1 3 */
/* allotments.c: deliveries to gardens. Now and then one brings a plant that the list does not have: then all plants are
 * ranked anew, one by one; in the twin the new plant alone is. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define MOST 60000u
#define WORK 300u

static uint32_t plant[MOST], rank_of[MOST];
static unsigned count;

static uint32_t rank_make(uint32_t of)
{
    for (unsigned i = 0; i < 60; i++)
        of = (of ^ of >> 15) * 0x2c1b3c6du;
    return of;
}

static void plant_add(uint32_t name)
{
    plant[count % MOST] = name;
#ifdef FIXED
    rank_of[count % MOST] = rank_make(name);
#endif
    count++;
#ifndef FIXED
    for (unsigned i = 0; i < (count < MOST ? count : MOST); i++) /* @ */
        rank_of[i] = rank_make(plant[i]); /* @ */
#endif
}

static uint64_t delivery_take(uint32_t number, uint32_t *state)
{
    uint64_t weight = number;
    for (unsigned i = 0; i < WORK; i++) {
        *state = *state * 1664525u + 1013904223u;
        weight = (weight ^ *state) * 1099511628211u;
    }
    if (*state >> 19 == 0)
        plant_add(*state); /* @ */
    return weight ^ rank_of[weight % MOST];
}

int main(int argc, char **argv)
{
    unsigned deliveries = (unsigned)(500000 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t state = 7;
    uint64_t sum = 0;
    for (count = 0; count < MOST / 2; count++)
        rank_of[count] = rank_make(plant[count] = count * 2654435761u);
    for (uint32_t i = 0; i < deliveries; i++)
        sum += delivery_take(i, &state);
    printf("%llu %u\n", (unsigned long long)sum, count);
    return 0;
}
