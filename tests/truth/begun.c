/* SPDX-License-Identifier: MIT */
/* begun.c: short threads are begun, which take the CPU of the one that begins them. Says "create LINE NS": the CPU time
 * of that one around all its calls of pthread_create. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

enum { TIMES = 3000, STEPS = 10000 };

static unsigned long cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (unsigned long)t.tv_sec * 1000000000 + (unsigned long)t.tv_nsec;
}

static void *work(void *from)
{
    uint64_t value = (uint64_t)(uintptr_t)from;
    for (int i = 0; i < STEPS; i++)
        value = value * 6364136223846793005u + 1442695040888963407u;
    return (void *)(uintptr_t)(value >> 40);
}

int main(void)
{
    cpu_set_t one;
    unsigned long took_ns = 0, sum = 0;
    int line = 0;
    sched_getaffinity(0, sizeof one, &one);
    for (int cpu = CPU_SETSIZE - 1, found = 0; cpu >= 0; cpu--) /* all threads on one CPU */
        if (CPU_ISSET(cpu, &one) && found++)
            CPU_CLR(cpu, &one);
    sched_setaffinity(0, sizeof one, &one);
    pthread_attr_t usual; /* and each goes before the one that begins it */
    pthread_attr_init(&usual);
    pthread_attr_setinheritsched(&usual, PTHREAD_EXPLICIT_SCHED);
    sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){ 0 });
    for (int i = 0; i < TIMES; i++) {
        pthread_t thread[2];
        void *result;
        for (int k = 0; k < 2; k++) {
            unsigned long begun = cpu_ns();
            line = pthread_create(&thread[k], &usual, work, (void *)(uintptr_t)i) ? -1 : __LINE__;
            took_ns += cpu_ns() - begun;
            if (line < 0)
                return 1;
        }
        for (int k = 0; k < 2; k++) {
            pthread_join(thread[k], &result);
            sum += (unsigned long)(uintptr_t)result;
        }
    }
    printf("create %d %lu\n", line, took_ns);
    return sum == 1;
}
