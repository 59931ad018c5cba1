/* SPDX-License-Identifier: MIT */
/* A vineyard's harvest is counted by pickers, who are threads: each counts grapes by kind in a tally of its own. Prints
 * the tallies. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PICKERS 4u

struct tally {
    volatile uint32_t white, red;
#ifdef FIXED
    char apart[120];
#endif
};

struct picker {
    pthread_t thread;
    unsigned number;
    uint64_t vines, sugar;
};

static _Alignas(64) struct tally tallies[PICKERS];

static void *pick(void *argument)
{
    struct picker *picker = argument;
    struct tally *tally = &tallies[picker->number];
    uint32_t seed = picker->number + 1;
    for (uint64_t vine = 0; vine < picker->vines; vine++) {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        if (seed & 1)
            tally->white++; /* @ */
        else
            tally->red++; /* @ */
        if (!(vine & 15)) picker->sugar += seed % 24;
    }
    return NULL;
}

static uint64_t press(uint64_t grapes)
{
    uint64_t juice = grapes;
    for (unsigned i = 0; i < 5000000; i++) juice = (juice ^ i) * 1099511628211ULL;
    return juice;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    struct picker pickers[PICKERS] = { 0 };
    uint64_t grapes = 0;
    for (unsigned i = 0; i < PICKERS; i++) {
        pickers[i].number = i;
        pickers[i].vines = (uint64_t)(15e6 * scale) + 1;
        pthread_create(&pickers[i].thread, NULL, pick, &pickers[i]);
    }
    for (unsigned i = 0; i < PICKERS; i++) pthread_join(pickers[i].thread, NULL);
    for (unsigned i = 0; i < PICKERS; i++) {
        printf("%u %u %llu\n", tallies[i].white, tallies[i].red, (unsigned long long)pickers[i].sugar);
        grapes += tallies[i].white * 3ull + tallies[i].red;
    }
    printf("%llu\n", (unsigned long long)press(grapes));
    return 0;
}
