/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 2 */
/* rule: imbalance */
/* libraries: -pthread */
/* relays.c: three threads move the beads of a string, and meet after each step. All beads that move are in the first
 * third, so that two of the threads wait for the first all the time. In the twin each takes every third bead. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 3
#define BEADS 24000

static pthread_barrier_t step_end;
static unsigned steps;
static uint64_t bead[BEADS];

static uint64_t bead_move(unsigned at, uint64_t x)
{
    for (unsigned i = 0; at < BEADS / THREADS && i < 600; i++)
        x = x * 6364136223846793005u + (x >> 33);
    return x;
}

static void *third_move(void *of) /* @ */
{
    unsigned third = (unsigned)(uintptr_t)of;
    for (unsigned step = 0; step < steps; step++) { /* @ */
#ifdef FIXED
        for (unsigned at = third; at < BEADS; at += THREADS) /* @ */
#else
        for (unsigned at = BEADS / THREADS * third; at < BEADS / THREADS * (third + 1); at++) /* @ */
#endif
            bead[at] = bead_move(at, bead[at] + at); /* @ */
        pthread_barrier_wait(&step_end); /* @ */
    }
    return NULL; /* @ */
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    uint64_t sum = 0;
    steps = (unsigned)(100 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_barrier_init(&step_end, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, third_move, (void *)i); /* @ */
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < BEADS; i++)
        sum = sum * 31 + bead[i];
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
