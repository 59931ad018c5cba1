/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* rule: sharing */
/* units: 2 */
/* tallies.c: two weighers sort parcels by weight. Those who start them and those who count are in different units. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WEIGHERS 2

struct tally {
#ifdef FIXED
    _Alignas(64) uint64_t light;
#else
    uint64_t light;
#endif
    uint64_t heavy, grams;
};

void parcel_weigh(struct tally *tally, uint64_t parcel);

#if UNIT == 1
static struct tally tally[WEIGHERS];
static unsigned long parcels;

static void *weigher_run(void *given)
{
    struct tally *mine = given;
    uint64_t parcel = (uint64_t)(mine - tally) + 88172645463325252ULL;
    for (unsigned long i = 0; i < parcels; i++) {
        parcel = parcel * 6364136223846793005ULL + 1442695040888963407ULL;
        parcel_weigh(mine, parcel >> 40);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    parcels = (unsigned long)(30000000 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_t thread[WEIGHERS];
    uint64_t light = 0, heavy = 0, grams = 0;
    for (int i = 0; i < WEIGHERS; i++)
        if (pthread_create(&thread[i], NULL, weigher_run, &tally[i]))
            return 1;
    for (int i = 0; i < WEIGHERS; i++) {
        pthread_join(thread[i], NULL);
        light += tally[i].light;
        heavy += tally[i].heavy;
        grams += tally[i].grams;
    }
    printf("%llu %llu %llu\n", (unsigned long long)light, (unsigned long long)heavy, (unsigned long long)grams);
    return 0;
}
#else
void parcel_weigh(struct tally *tally, uint64_t parcel)
{
    uint64_t grams = parcel % 5000, heavy = grams > 2000; /* @ */
    tally->light += !heavy; /* @ */
    tally->heavy += heavy; /* @ */
    tally->grams += grams; /* @ */
}
#endif
