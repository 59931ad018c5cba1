/* SPDX-License-Identifier: MIT */
/* Counts votes by two threads, each with ballots of its own, to one result. Prints the votes of each list and how many
 * were invalid. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2u
#define LISTS 8u

struct result {
    pthread_mutex_t lock;
    uint64_t votes[LISTS], invalid;
};

struct station {
    unsigned number;
    uint64_t digest;
};

static struct result result = { .lock = PTHREAD_MUTEX_INITIALIZER };
static unsigned long ballots;

static uint64_t ballot_read(uint64_t ballot)
{
    for (int i = 0; i < 8; i++) {
        ballot ^= ballot << 13;
        ballot ^= ballot >> 7;
        ballot ^= ballot << 17;
    }
    return ballot;
}

static void ballot_count(struct result *into, uint64_t ballot)
{
    if (ballot >> 56 == 7) into->invalid++;
    else into->votes[ballot >> 40 & (LISTS - 1)]++;
}

static void *station_thread(void *argument)
{
    struct station *station = argument;
    uint64_t ballot = (station->number + 1) * 0x9e3779b97f4a7c15ULL;
#ifdef FIXED
    struct result own = { 0 };
#endif
    for (unsigned long i = 0; i < ballots; i++) {
        ballot = ballot_read(ballot);
        station->digest ^= ballot;
#ifdef FIXED
        ballot_count(&own, ballot);
#else
        pthread_mutex_lock(&result.lock); /* @ */
        ballot_count(&result, ballot);
        pthread_mutex_unlock(&result.lock); /* @ */
#endif
    }
#ifdef FIXED
    pthread_mutex_lock(&result.lock);
    for (unsigned i = 0; i < LISTS; i++) result.votes[i] += own.votes[i];
    result.invalid += own.invalid;
    pthread_mutex_unlock(&result.lock);
#endif
    return NULL;
}

static uint64_t protocol_seal(uint64_t h, unsigned long rounds)
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
    ballots = (unsigned long)(9000000 * scale) + 1;
    pthread_t threads[THREADS];
    static struct station stations[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        stations[i].number = i;
        if (pthread_create(&threads[i], NULL, station_thread, &stations[i])) return 1;
    }
    uint64_t digest = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        digest ^= stations[i].digest;
    }
    for (unsigned i = 0; i < LISTS; i++) printf("%llu ", (unsigned long long)result.votes[i]);
    printf("%llu %llu\n", (unsigned long long)result.invalid,
           (unsigned long long)protocol_seal(digest, (unsigned long)(40000000 * scale)));
    return 0;
}
