/* SPDX-License-Identifier: MIT */
/* balance.c compute|sleep STEPS LEFT RIGHT: a thread that does the left part of each step and THREADS - 1 (1) that each do
 * a right part meet after it; the longest part decides. */
#include "work.h"

#ifndef THREADS
#define THREADS 2
#endif
static pthread_barrier_t barrier;
static int steps;
static double units[2];
static volatile unsigned sum[2];

PROFPLUG_STAGE("left") static void left(void) { sum[0] += work(units[0]); }
PROFPLUG_STAGE("right") static void right(void) { sum[1] += work(units[1]); }

static void *other(void *unused)
{
    for (int i = 0; i < steps; i++) {
        right();
        pthread_barrier_wait(&barrier);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    work_choose(argv[1]);
    steps = atoi(argv[2]);
    units[0] = atof(argv[3]);
    units[1] = atof(argv[4]);
    pthread_barrier_init(&barrier, NULL, THREADS);
    for (int i = 1; i < THREADS; i++)
        pthread_create(&thread[i], NULL, other, NULL);
    PROFPLUG_LOOP("steps")
    for (int i = 0; i < steps; i++) {
        left();
        pthread_barrier_wait(&barrier);
    }
    for (int i = 1; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return sum[0] + sum[1] == 12345;
}
