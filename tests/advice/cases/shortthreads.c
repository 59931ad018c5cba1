/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* shortthreads.c: the stars of each night are weighed in halves, each by a thread that is started for it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HALVES 2
#define STARS 4000

static struct half {
    uint32_t seed, weight;
} half[HALVES];

static void *half_weigh(void *given)
{
    struct half *h = given;
    uint32_t seed = h->seed, weight = 0;
    for (int i = 0; i < STARS / HALVES; i++) {
        seed = seed * 1664525 + 1013904223;
        weight += seed >> 20;
    }
    h->weight = weight;
    return NULL;
}

#ifdef FIXED
static pthread_barrier_t dusk, dawn;
static int ends;

static void *watcher_run(void *given)
{
    for (;;) {
        pthread_barrier_wait(&dusk);
        if (ends)
            return NULL;
        half_weigh(given);
        pthread_barrier_wait(&dawn);
    }
}
#endif

int main(int argc, char **argv)
{
    int nights = (int)(4000 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    pthread_t thread[HALVES];
#ifdef FIXED
    pthread_barrier_init(&dusk, NULL, HALVES + 1);
    pthread_barrier_init(&dawn, NULL, HALVES + 1);
    for (int i = 0; i < HALVES; i++)
        if (pthread_create(&thread[i], NULL, watcher_run, &half[i]))
            return 1;
#endif
    for (int night = 0; night < nights; night++) {
        for (int i = 0; i < HALVES; i++)
            half[i].seed = (uint32_t)(night * HALVES + i);
#ifdef FIXED
        pthread_barrier_wait(&dusk);
        pthread_barrier_wait(&dawn);
#else
        for (int i = 0; i < HALVES; i++)
            if (pthread_create(&thread[i], NULL, half_weigh, &half[i])) /* @ */
                return 1;
        for (int i = 0; i < HALVES; i++)
            pthread_join(thread[i], NULL); /* @ */
#endif
        for (int i = 0; i < HALVES; i++)
            sum = sum * 31 + half[i].weight;
    }
#ifdef FIXED
    ends = 1;
    pthread_barrier_wait(&dusk);
    for (int i = 0; i < HALVES; i++)
        pthread_join(thread[i], NULL);
#endif
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
