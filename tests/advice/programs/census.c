/* SPDX-License-Identifier: MIT */
/* A census by two threads: each draws households of its own districts and counts persons and children. Prints the
 * counts. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2u

struct counts {
#ifdef FIXED
    _Alignas(128) uint64_t persons;
#else
    uint64_t persons; /* @ */
#endif
    uint64_t children, digest;
};

static struct counts counts[THREADS]; /* @ */
static unsigned long households;

void household_count(struct counts *into, uint64_t lot);
__attribute__((noinline)) void household_count(struct counts *into, uint64_t lot)
{
    unsigned persons = 1 + (lot >> 60) % 6, children = persons > 2 ? persons - 2 : 0;
    into->persons += persons; /* @ */
    into->children += children; /* @ */
    into->digest ^= lot;
}

static uint64_t lot_draw(uint64_t lot)
{
    for (int i = 0; i < 2; i++) {
        lot ^= lot << 13;
        lot ^= lot >> 7;
        lot ^= lot << 17;
    }
    return lot;
}

static void *district_thread(void *argument)
{
    struct counts *into = argument;
    uint64_t lot = (uint64_t)(into - counts) * 2654435761u + 88172645463325252ULL;
    for (unsigned long i = 0; i < households; i++) {
        lot = lot_draw(lot);
        household_count(into, lot);
    }
    return NULL;
}

static uint64_t report_seal(uint64_t h, unsigned long rounds)
{
    for (unsigned long i = 0; i < rounds; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    households = (unsigned long)(40000000 * scale) + 1;
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++)
        if (pthread_create(&threads[i], NULL, district_thread, &counts[i])) return 1;
    struct counts all = { 0 };
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        all.persons += counts[i].persons;
        all.children += counts[i].children;
        all.digest ^= counts[i].digest;
    }
    printf("%llu %llu %llu\n", (unsigned long long)all.persons, (unsigned long long)all.children,
           (unsigned long long)report_seal(all.digest, (unsigned long)(8000000 * scale)));
    return 0;
}
