/* SPDX-License-Identifier: MIT */
/* crew.c WORKERS ROUNDS: a pool of threads that take tasks from a queue. In each round come 150 tasks of 20 us, ten of
 * 0.3 ms and one of 3 ms. So all three kinds have the same CPU time, and threads are switched thousands of times a
 * second. Prints "FUNCTION ns" for each, by the clocks of the threads around each task. */
#include "truth.h"
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { SMALL, MIDDLE, LARGE, KINDS, ROOM = 64, THREADS_MOST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER, room = PTHREAD_COND_INITIALIZER;
static int queue[ROOM], head, count, closed;
static _Atomic uint64_t took_ns[KINDS];
static long per_us;

static __attribute__((noinline)) void small(void) { BURN(20 * per_us); }
static __attribute__((noinline)) void middle(void) { BURN(300 * per_us); }
static __attribute__((noinline)) void large(void) { BURN(3000 * per_us); }

static int take(void)
{
    int task = -1;
    pthread_mutex_lock(&lock);
    while (!count && !closed)
        pthread_cond_wait(&more, &lock);
    if (count) {
        task = queue[head];
        head = (head + 1) % ROOM;
        count--;
        pthread_cond_signal(&room);
    }
    pthread_mutex_unlock(&lock);
    return task;
}

static void put(int task)
{
    pthread_mutex_lock(&lock);
    while (count == ROOM)
        pthread_cond_wait(&room, &lock);
    queue[(head + count++) % ROOM] = task;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
}

static void *work(void *unused)
{
    static void (*const kind[KINDS])(void) = { small, middle, large };
    for (int task; (task = take()) >= 0;) {
        uint64_t begun = cpu_ns();
        kind[task]();
        took_ns[task] += cpu_ns() - begun;
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS_MOST];
    int workers = argc > 1 ? atoi(argv[1]) : 4, rounds = argc > 2 ? atoi(argv[2]) : 100;
    per_us = burn_calibrate() / 1000;
    for (int i = 0; i < workers; i++)
        if (pthread_create(&thread[i], NULL, work, NULL))
            return 2;
    for (int round = 0; round < rounds; round++) {
        for (int i = 0; i < 150; i++)
            put(SMALL);
        for (int i = 0; i < 10; i++)
            put(MIDDLE);
        put(LARGE);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_cond_broadcast(&more);
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < workers; i++)
        pthread_join(thread[i], NULL);
    static const char *const name[KINDS] = { "small", "middle", "large" };
    for (int i = 0; i < KINDS; i++)
        printf("%s %" PRIu64 "\n", name[i], took_ns[i]);
    return 0;
}
