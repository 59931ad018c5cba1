/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* rule: sleeps */
/* does: pthread_cond_signal eventfd */
/* libraries: -pthread */
/* watches.c: a scale weighs parcels in a thread of its own. It looks at a number to see whether a parcel is there, and
 * the program looks at another one to see whether it was weighed; nothing but sleeps is between these looks. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static _Atomic uint32_t placed, weighed;
static uint32_t parcel, weight, count;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
#endif

static void await(_Atomic uint32_t *number, uint32_t wanted)
{
#ifndef FIXED
    struct timespec pause = { 0, 500000 };
    while (*number < wanted)
        nanosleep(&pause, NULL); /* @ */
#else
    pthread_mutex_lock(&lock);
    while (*number < wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
#endif
}

static void reach(_Atomic uint32_t *number, uint32_t reached)
{
#ifndef FIXED
    *number = reached;
#else
    pthread_mutex_lock(&lock);
    *number = reached;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
#endif
}

static uint32_t mix(uint32_t value, int rounds)
{
    for (int i = 0; i < rounds; i++)
        value = value * 1664525 + (value >> 13);
    return value;
}

static void *scale_run(void *unused)
{
    for (uint32_t i = 1; i <= count; i++) {
        await(&placed, i);
        weight = mix(parcel, 100000);
        reach(&weighed, i);
    }
    return unused;
}

int main(int argc, char **argv)
{
    uint32_t sum = 0;
    pthread_t thread;
    count = (uint32_t)(400 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_create(&thread, NULL, scale_run, NULL);
    for (uint32_t i = 1; i <= count; i++) {
        parcel = mix(i, 20000);
        reach(&placed, i);
        await(&weighed, i);
        sum += weight;
    }
    pthread_join(thread, NULL);
    printf("%u parcels, %08x\n", count, sum);
    return 0;
}
