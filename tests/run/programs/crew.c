/* SPDX-License-Identifier: MIT */
/* crew.c: threads whose own functions have no probes, as those of a library's pool, and which come to ours by functions of two arguments; more of them
 * are made than begin at a time. And such calls before main, and before the runtime's constructor. */
#include "expect.h"
#include <pthread.h>
#include <threads.h>

#define THREADS 90
#define TIMES 3000
#define TICKS 200000ul

static volatile unsigned long sink;
KEEP static void step(unsigned long n, unsigned long worker) { sink = n * 3 + worker; }
KEEP static void job(unsigned long times, unsigned long worker)
{
    for (unsigned long i = 0; i < times; i++)
        step(i, worker);
}
KEEP static void tick(unsigned long n, unsigned long worker) { sink = n + worker; }
KEEP static void before(int a, int b) { sink = (unsigned long)(a + b); }
KEEP static void before_all(int a, int b)
{
    for (int i = 0; i < a; i++)
        before(i, b);
}

KEEP static void looking(int a) { sink = (unsigned long)a; }
KEEP static int looking_round(int a)
{
    int s = 0;
    for (int i = 0; i < a; i++)
        s += (int)sink;
    return s;
}

QUIET static void early(int count, char **arguments, char **environment)
{
    (void)count, (void)arguments, (void)environment;
    before_all(50, 1);
    before(7, 7);
    looking(3);
    looking_round(2);
}
__attribute__((section(".preinit_array"), used)) static void (*const first)(int, char **, char **) = early;
QUIET __attribute__((constructor)) static void later(void) { before(1, 2); }

static pthread_barrier_t all;
QUIET static void *pool(void *worker)
{
    pthread_barrier_wait(&all);
    for (unsigned long i = 0; i < TICKS; i++)
        tick(i, (unsigned long)worker);
    job(TIMES, (unsigned long)worker);
    return worker;
}
QUIET static int pool_of_c11(void *worker)
{
    for (unsigned long i = 0; i < TICKS; i++)
        tick(i, (unsigned long)worker);
    job(TIMES, (unsigned long)worker);
    return (int)(long)worker - 3;
}

QUIET int main(void)
{
    pthread_t thread[THREADS];
    thrd_t other[THREADS];
    unsigned wrong = 0;
    pthread_barrier_init(&all, 0, THREADS);
    for (long i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], 0, pool, (void *)i))
            return 1;
    for (long i = 0; i < THREADS; i++) {
        void *value;
        pthread_join(thread[i], &value);
        wrong += value != (void *)i;
    }
    for (long i = 0; i < THREADS; i++)
        if (thrd_create(&other[i], pool_of_c11, (void *)i) != thrd_success)
            return 1;
    for (long i = 0; i < THREADS; i++) {
        int value;
        thrd_join(other[i], &value);
        wrong += value != (int)i - 3;
    }
    expect("calls step %d", 2 * THREADS * TIMES);
    expect("calls tick %lu", 2 * THREADS * TICKS);
    expect("calls job %d", 2 * THREADS);
    expect("calls before %d", 52);
    looking(4);
    expect("calls looking 2");
    expect("calls looking_round 1");
    expect("calls before_all 1");
    expect("threads %d", 2 * THREADS + 1);
    expect("lossless");
    return wrong ? 2 : 0;
}
