/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 2 */
/* base: 5 */
/* rule: imbalance */
/* libraries: -pthread */
/* harbours.c: three threads ask the gauges of a coast for the tide, and meet after each day. A gauge takes its time and
 * no CPU. The numbers of all gauges can be divided by three, so that one thread asks all of them. In the twin gauges
 * are dealt out by their place in the list. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define THREADS 3
#define GAUGES 36

struct gauge {
    uint32_t number;
    uint64_t tide;
};

static pthread_barrier_t evening;
static struct gauge gauge[GAUGES];
static unsigned days;

static uint64_t gauge_ask(struct gauge *of, unsigned day)
{
    struct timespec takes = { 0, 2000000 };
    nanosleep(&takes, NULL);
    return of->tide * 6364136223846793005u + of->number + day;
}

static void *coast_watch(void *of)
{
    unsigned own = (unsigned)(uintptr_t)of;
    for (unsigned day = 0; day < days; day++) { /* @ */
        for (unsigned i = 0; i < GAUGES; i++) { /* @ */
#ifdef FIXED
            if (i % THREADS == own) /* @ */
#else
            if (gauge[i].number % THREADS == own) /* @ */
#endif
                gauge[i].tide = gauge_ask(&gauge[i], day); /* @ */
        }
        pthread_barrier_wait(&evening); /* @ */
    }
    return NULL; /* @ */
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    uint64_t sum = 0;
    days = (unsigned)(6 * (argc > 1 ? atof(argv[1]) : 1));
    for (unsigned i = 0; i < GAUGES; i++)
        gauge[i].number = 9000 + i * THREADS;
    pthread_barrier_init(&evening, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, coast_watch, (void *)i); /* @ */
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < GAUGES; i++)
        sum = sum * 31 + gauge[i].tide;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
