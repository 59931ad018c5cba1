/* SPDX-License-Identifier: MIT */
/* numbers.c: the program's own counts and gauges, compared with what it counts itself: by stage, from several threads,
 * from signal handlers that interrupt them, in functions left by longjmp, with values of either sign up to the largest,
 * and after a fork. */
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

enum { THREADS = 4, ROUNDS = 200000 };

struct own { int64_t count, sum, min, max; };
static struct own lookup_hits[THREADS + 1], handler_all;
static volatile sig_atomic_t hot;

HIDDEN_FROM_PROFILER static void own_add(struct own *to, int64_t value)
{
    to->min = !to->count || value < to->min ? value : to->min;
    to->max = !to->count || value > to->max ? value : to->max;
    to->count++;
    to->sum += value;
}

PROFPLUG_STAGE("lookup") static __attribute__((noinline)) void lookup(struct own *own)
{
    for (int i = 0; i < ROUNDS; i++) {
        int64_t value = i % 7 - 2;
        profplug_count("cache_hit", value);
        own_add(own, value);
    }
}

static void *work(void *own)
{
    lookup(own);
    return own;
}

/* It may interrupt anything, even itself. */
static void handler(int number)
{
    int64_t value = hot++ % 1000 - 500;
    (void)number;
    profplug_count("ticks", value);
    profplug_count("cache_hit", 0);
    own_add(&handler_all, value);
}

static jmp_buf back;

PROFPLUG_STAGE("jumps") static __attribute__((noinline)) void jumps(int i)
{
    profplug_count("tries", 1);
    if (i % 2)
        longjmp(back, 1);
}

PROFPLUG_STAGE("extremes") static __attribute__((noinline)) void extremes(void)
{
    profplug_gauge("wide", INT64_MAX);
    profplug_gauge("wide", INT64_MIN);
    profplug_gauge("wide", INT64_MAX);
    profplug_gauge("one", -7);
    profplug_gauge("queue_depth", 17);
    {
        PROFPLUG_SCOPE("inner");
        profplug_gauge("queue_depth", 3);
        for (int i = 0; i < 5; i++)
            profplug_gauge("queue_depth", i * 10);
    }
    profplug_gauge("queue_depth", 18);
}

static void expect_tally(const char *list, const char *name, const char *number, int64_t count, int64_t sum, int64_t min, int64_t max)
{
    const int64_t value[] = { count, sum, min, max };
    static const char *const field[] = { "count", "sum", "min", "max" };
    for (int i = 0; i < 4; i++)
        printf("%s %s counters.%s.%s %" PRId64 " text\n", list, name, number, field[i], value[i]);
}

int main(void)
{
    pthread_t thread[THREADS];
    struct own all = { 0 }, jumped = { 0 };
    struct sigaction action = { .sa_handler = handler, .sa_flags = SA_RESTART };
    struct itimerval often = { { 0, 300 }, { 0, 300 } }, never = { { 0, 0 }, { 0, 0 } };
    profplug_count("before", 3);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], 0, work, &lookup_hits[i]);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
    sigaction(SIGALRM, &action, 0);
    setitimer(ITIMER_REAL, &often, 0);
    while (hot < 500)
        lookup(&lookup_hits[THREADS]);
    setitimer(ITIMER_REAL, &never, 0);
    for (volatile int i = 0; i < 10; i++) {
        if (!setjmp(back))
            jumps(i);
        profplug_count("tries", 100);                    /* outside, whatever way it came back */
        own_add(&jumped, 100);
    }
    extremes();
    int child = fork();
    if (!child) {
        for (int i = 0; i < 3; i++)
            extremes();
        profplug_count("after", 1);
        exit(0);
    }
    waitpid(child, 0, 0);
    for (int i = 0; i <= THREADS; i++) {
        all.count += lookup_hits[i].count;
        all.sum += lookup_hits[i].sum;
    }
    /* The handler's values may be booked in the stage or outside. Only the sum of both is known. */
    expect_tally("numbers", "all", "cache_hit", all.count + handler_all.count, all.sum, -2, 4);
    expect_tally("numbers", "all", "ticks", handler_all.count, handler_all.sum, handler_all.min, handler_all.max);
    expect_tally("runs", "-", "before", 1, 3, 3, 3);
    expect_tally("runs", "-", "tries", jumped.count, jumped.sum, 100, 100);
    expect_tally("stages", "jumps", "tries", 10, 10, 1, 1);
    expect_tally("stages", "extremes", "one", 1, -7, -7, -7);
    expect_tally("stages", "extremes", "wide", 3, INT64_MAX - 1, INT64_MIN, INT64_MAX);
    expect_tally("stages", "extremes", "queue_depth", 2, 35, 17, 18);
    expect_tally("stages", "inner", "queue_depth", 6, 103, 0, 40);
    expect_tally("child_stages", "extremes", "one", 3, -21, -7, -7);
    expect_tally("child_stages", "inner", "queue_depth", 18, 309, 0, 40);
    expect_tally("child_runs", "-", "after", 1, 1, 1, 1);
    printf("child_runs - counters.before None text\n");
    printf("child_stages lookup counters None text\n");
    printf("stages jumps throughput_unit calls text\n");
    return 0;
}
