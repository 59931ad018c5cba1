/* SPDX-License-Identifier: MIT */
/* idle.c: starts THREADS threads at a time, of several kinds: with a probe in the first function, with probes in later
 * ones only, made by C11. Each asks the kernel where it counts (the base of gs). Prints "threads N, apart M": how many
 * of them and main have counters of their own. */
#include "expect.h"
#include <pthread.h>
#include <sys/syscall.h>
#include <threads.h>

#define THREADS 60
#define GET_GS 0x1004

static unsigned long place[THREADS + 1];
static pthread_barrier_t all;

KEEP static unsigned long step(unsigned long n, unsigned long m) { return n * 3 + m; }
QUIET static unsigned long base(void)
{
    unsigned long at = 0;
    return syscall(SYS_arch_prctl, GET_GS, &at) ? 0 : at;
}

KEEP static void *looks(void *number)
{
    pthread_barrier_wait(&all);
    place[(unsigned long)number] = base();
    return number;
}
QUIET static void *looks_not(void *number)
{
    pthread_barrier_wait(&all);
    step(1, 2);
    place[(unsigned long)number] = base();
    return number;
}
QUIET static int looks_not_either(void *number)
{
    looks_not(number);
    return 0;
}

int main(void)
{
    pthread_t thread[THREADS];
    thrd_t other[THREADS];
    unsigned apart = 0;
    pthread_barrier_init(&all, 0, THREADS);
    for (unsigned long i = 0; i < THREADS; i++)
        if (i % 3 == 2 ? thrd_create(&other[i], looks_not_either, (void *)i) != thrd_success : pthread_create(&thread[i], 0, i % 3 ? looks_not : looks, (void *)i))
            return 1;
    for (unsigned long i = 0; i < THREADS; i++)
        if (i % 3 == 2 ? thrd_join(other[i], 0) != thrd_success : pthread_join(thread[i], 0))
            return 1;
    place[THREADS] = base();
    for (unsigned i = 0; i <= THREADS; i++) {
        unsigned same = 0;
        for (unsigned k = 0; k <= THREADS; k++)
            same += place[k] == place[i];
        apart += same == 1;
    }
    printf("threads %d, apart %u\n", THREADS + 1, apart);
    return 0;
}
