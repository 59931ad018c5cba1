/* SPDX-License-Identifier: MIT */
/* starts.c: threads that are started and joined on lines of their own: one after the other, and at the same time with
 * unequal work. Prints for each "ID started joined begin end cpu waited": its number in the kernel, the lines, and times
 * by the program's own clocks in ns, begin and end since the start of main. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

struct work {
    unsigned burn_ms, sleep_ms;
    int started, joined;
    pid_t id;
    uint64_t begin_ns, end_ns, cpu_ns, waited_ns;
};
static uint64_t zero_ns;

static uint64_t now_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *work(void *given)
{
    struct work *w = given;
    w->begin_ns = now_ns(CLOCK_MONOTONIC) - zero_ns;
    w->id = gettid();
    while (now_ns(CLOCK_THREAD_CPUTIME_ID) < w->burn_ms * UINT64_C(1000000))
        continue;
    uint64_t t = now_ns(CLOCK_MONOTONIC);
    nanosleep(&(struct timespec){ 0, w->sleep_ms * 1000000L }, NULL);
    w->waited_ns = now_ns(CLOCK_MONOTONIC) - t;
    w->cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
    w->end_ns = now_ns(CLOCK_MONOTONIC) - zero_ns;
    return NULL;
}
static int work_plainly(void *given) { return work(given), 0; }

static void print(const struct work *w)
{
    printf("%d %d %d %.0f %.0f %.0f %.0f\n", (int)w->id, w->started, w->joined, (double)w->begin_ns, (double)w->end_ns,
           (double)w->cpu_ns, (double)w->waited_ns);
}

int main(void)
{
    enum { SERIAL = 6, PARALLEL = 4 };
    struct work serial[SERIAL] = { { 0 } }, parallel[PARALLEL] = { { 0 } }, plain = { .burn_ms = 5, .sleep_ms = 5 };
    pthread_t thread[PARALLEL];
    thrd_t other;
    zero_ns = now_ns(CLOCK_MONOTONIC);
    for (int i = 0; i < SERIAL; i++) {
        serial[i].burn_ms = 10, serial[i].sleep_ms = 5;
        if (pthread_create(&thread[0], NULL, work, &serial[i]))
            return 2;
        serial[i].started = __LINE__ - 2;
        pthread_join(thread[0], NULL);
        serial[i].joined = __LINE__ - 1;
    }
    for (int i = 0; i < PARALLEL; i++) {
        parallel[i].burn_ms = i ? 5 : 60, parallel[i].sleep_ms = 100;
        if (pthread_create(&thread[i], NULL, work, &parallel[i]))
            return 2;
        parallel[i].started = __LINE__ - 2;
    }
    for (int i = 0; i < PARALLEL; i++) {
        pthread_join(thread[i], NULL);
        parallel[i].joined = __LINE__ - 1;
    }
    if (thrd_create(&other, work_plainly, &plain) != thrd_success)
        return 2;
    plain.started = __LINE__ - 2;
    thrd_join(other, NULL);
    plain.joined = __LINE__ - 1;
    for (int i = 0; i < SERIAL; i++)
        print(&serial[i]);
    for (int i = 0; i < PARALLEL; i++)
        print(&parallel[i]);
    print(&plain);
    return 0;
}
