/* SPDX-License-Identifier: MIT */
/* ponder.c: reads that wait for 10 to 100 us: for answers of a thread that ponders over each, and for blocks of one that makes them. Says of each sort: its line, how many calls, and how long
 * they waited, by its clocks around each: the time less the CPU time, if the thread gave up its CPU meanwhile. At last
 * the time of all. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { CALLS = 3000, BLOCK = 65536 };
static char block[BLOCK];
static int ends[2];

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void ponder(uint64_t ns)
{
    for (uint64_t end = clock_ns(CLOCK_MONOTONIC) + ns; clock_ns(CLOCK_MONOTONIC) < end;)
        continue;
}

static void *answers(void *given)        /* NULL: each after 20 us; else after 0 to 100 us, by a hash of its number */
{
    char c;
    for (unsigned i = 0; i < CALLS; i++) {
        if (read(ends[1], &c, 1) != 1) exit(3);
        unsigned drawn = i * 2654435761u >> 30;
        ponder(!given ? 20000 : drawn == 3 ? 100000 : drawn * 20000);
        if (write(ends[1], &c, 1) != 1) exit(4);
    }
    return NULL;
}

static void *makes(void *unused)
{
    for (unsigned i = 0; i < CALLS; i++) {
        ponder(30000);
        if (write(ends[1], block, BLOCK) != BLOCK) exit(5);
    }
    return unused;
}

static struct reading {
    uint64_t cpu_ns, wall_ns;
    long switches;
} before;
static uint64_t waited_ns, took_ns, clocks_ns; /* clocks_ns: CPU time of the readings themselves */

static struct reading now(int begins)
{
    struct rusage use;
    struct reading r = { 0 };
    if (!begins) r.wall_ns = clock_ns(CLOCK_MONOTONIC), r.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    getrusage(RUSAGE_THREAD, &use), r.switches = use.ru_nvcsw;
    if (begins) r.cpu_ns = clock_ns(CLOCK_THREAD_CPUTIME_ID), r.wall_ns = clock_ns(CLOCK_MONOTONIC);
    return r;
}
static void begins(void) { before = now(1); }
static void ended(void)
{
    struct reading after = now(0);
    uint64_t wall_ns = after.wall_ns - before.wall_ns, cpu_ns = after.cpu_ns - before.cpu_ns;
    cpu_ns -= clocks_ns < cpu_ns ? clocks_ns : cpu_ns;
    if (after.switches != before.switches && wall_ns > cpu_ns) waited_ns += wall_ns - cpu_ns;
    took_ns += wall_ns > clocks_ns ? wall_ns - clocks_ns : 0;
}
static void say(int line, unsigned calls)
{
    printf("%d %u %llu %llu\n", line, calls, (unsigned long long)waited_ns, (unsigned long long)took_ns);
    waited_ns = took_ns = 0;
}

int main(void)
{
    pthread_t other;
    char c = 1;
    int line = 0;
    clocks_ns = UINT64_MAX;
    for (int i = 0; i < 1000; i++) {
        begins();
        struct reading after = now(0);
        clocks_ns = after.cpu_ns - before.cpu_ns < clocks_ns ? after.cpu_ns - before.cpu_ns : clocks_ns;
    }
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
    if (pthread_create(&other, NULL, answers, NULL)) return 2;
    for (int i = 0; i < CALLS; i++) {
        if (write(ends[0], &c, 1) != 1) return 6;
        begins();
        if (read(ends[0], &c, 1) != 1) return 7; line = __LINE__;
        ended();
    }
    pthread_join(other, NULL), say(line, CALLS);
    if (pthread_create(&other, NULL, answers, &c)) return 2;
    for (int i = 0; i < CALLS; i++) {
        if (write(ends[0], &c, 1) != 1) return 6;
        begins();
        if (read(ends[0], &c, 1) != 1) return 7; line = __LINE__;
        ended();
    }
    pthread_join(other, NULL), say(line, CALLS);
    if (pipe(ends) || pthread_create(&other, NULL, makes, NULL)) return 2;
    unsigned calls = 0;
    for (ssize_t got, all = 0; all < (ssize_t)CALLS * BLOCK; all += got, calls++) {
        begins();
        got = read(ends[0], block, BLOCK); line = __LINE__;
        ended();
        if (got <= 0) return 8;
    }
    pthread_join(other, NULL), say(line, calls);
    return 0;
}
