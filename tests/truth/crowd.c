/* SPDX-License-Identifier: MIT */
/* crowd.c: with more threads at a time than growth is measured for, each entry of a stage that was not measured is
 * counted as lost. */
#include <pthread.h>
#include <stdlib.h>

#include <profplug.h>
#include "truth.h"

enum { THREADS = 300, ENTRIES = 50 };
static pthread_barrier_t here, gone;
static void *keep;
static pthread_key_t parting;  /* memory that the C library frees when the thread has no words of ours any more */

PROFPLUG_STAGE("step") static __attribute__((noinline)) void step(void) { keep = malloc(100); }

static __attribute__((noinline)) void *wait_for(void *unused)
{
    keep = malloc(10);
    pthread_setspecific(parting, malloc(20));
    pthread_barrier_wait(&here);
    pthread_barrier_wait(&gone);
    return unused;
}

int main(void)
{
    static pthread_t id[THREADS];
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 128 << 10);
    pthread_barrier_init(&here, NULL, THREADS + 1);
    pthread_barrier_init(&gone, NULL, THREADS + 1);
    if (pthread_key_create(&parting, free))
        return 1;
    for (int i = 0; i < 10; i++)
        step();
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&id[i], &small, wait_for, NULL))
            return 1;
    pthread_barrier_wait(&here);
    for (int i = 0; i < ENTRIES; i++)
        step();
    pthread_barrier_wait(&gone);
    for (int i = 0; i < THREADS; i++)
        pthread_join(id[i], NULL);
    expect_exact("stages", "step", "calls", 10 + ENTRIES);
    expect_exact("runs", "-", "losses.growth", ENTRIES);
    return 0;
}
