/* SPDX-License-Identifier: MIT */
/* within.c: functions that wait in what they call: now and then for long, or often and shortly; through several calls, a recursion, a function of the C library's
 * that calls back, and in another thread. What they waited the program knows by its own clock. */
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <profplug.h>
#include "truth.h"

#define REQUESTS 60000

static volatile unsigned sink;
static uint64_t napped;                  /* off the CPU, from outside of the sleeps */

HIDDEN_FROM_PROFILER static uint64_t off_ns(void) { return now_ns() - cpu_ns(); }

__attribute__((noinline)) static void nap(long ns)
{
    uint64_t before = off_ns();
    nanosleep(&(struct timespec){ 0, ns }, NULL);
    napped += off_ns() - before;
}

__attribute__((noinline)) static void backoff(unsigned i)
{
    sink += i;
    nap(2000000);
    sink++;
}

__attribute__((noinline)) static void request(unsigned i)
{
    for (unsigned k = 0; k < 150; k++) sink += k;
    if (i % 3000 == 1499) backoff(i);
    sink++;
}

__attribute__((noinline)) static void load(unsigned count) { for (unsigned i = 0; i < count; i++) request(i); }
__attribute__((noinline)) static void flush(unsigned count) { for (unsigned i = 0; i < count; i++) request(i); sink++; }

/* Waits that are too short to be walked each. */
__attribute__((noinline)) static void tick(void) { nap(20000); sink++; }
__attribute__((noinline)) static void often(void) { for (int i = 0; i < 3; i++) tick(); sink++; }
__attribute__((noinline)) static void seldom(void) { tick(); sink++; }

__attribute__((noinline)) static void descend(int depth)
{
    if (depth) descend(depth - 1);
    else nap(3000000);
    sink++;
}

static int compare(const void *a, const void *b)
{
    nap(1500000);
    return *(const int *)a - *(const int *)b;
}
__attribute__((noinline)) static void sorted(int *list) { qsort(list, 4, sizeof *list, compare); sink++; }

static sem_t done;
static uint64_t waited_for;
__attribute__((noinline)) static void consume(void) { uint64_t before = off_ns(); sem_wait(&done); waited_for += off_ns() - before; }
static void *consumer(void *nothing)
{
    for (int i = 0; i < 10; i++) consume();
    return nothing;
}

/* What `call` waits. */
#define TAKEN(waits, call) do { \
        uint64_t napped_ = napped; \
        call; \
        waits += napped - napped_; \
    } while (0)

int main(int count, char **arguments)
{
    bool exact = count > 1 && !strcmp(arguments[1], "exact");
    uint64_t in_load = 0, in_flush = 0, in_often = 0, in_seldom = 0, in_descend = 0, in_sorted = 0;
    TAKEN(in_load, load(REQUESTS));
    TAKEN(in_flush, flush(REQUESTS / 4));
    for (int i = 0; i < 1200; i++) {
        TAKEN(in_often, often());
        TAKEN(in_seldom, seldom());
    }
    for (int i = 0; i < 10; i++) {
        int list[4] = { 3, 1, 4, 2 };
        TAKEN(in_descend, descend(20));
        TAKEN(in_sorted, sorted(list));
    }
    pthread_t thread;
    sem_init(&done, 0, 0);
    pthread_create(&thread, NULL, consumer, NULL);
    for (int i = 0; i < 10; i++) {
        nap(3000000);
        sem_post(&done);
    }
    pthread_join(thread, NULL);
    const struct { const char *name; uint64_t ns; bool shorts; } waits[] = {
        { "load", in_load, false }, { "flush", in_flush, false }, { "request", in_load + in_flush, false }, { "backoff", in_load + in_flush, false }, { "descend", in_descend, false },
        { "sorted", in_sorted, false }, { "compare", in_sorted, false }, { "consumer", waited_for, false }, { "consume", waited_for, false }, { "nap", napped, false },
        { "often", in_often, true }, { "seldom", in_seldom, true }, { "tick", in_often + in_seldom, true } };
    for (size_t i = 0; i < sizeof waits / sizeof *waits; i++)
        if (exact && !waits[i].shorts) expect_near("functions", waits[i].name, "wait_total_ns", waits[i].ns, 3);
        else expect_estimate("functions", waits[i].name, "wait_total_ns", waits[i].ns, waits[i].ns);
    if (exact) {
        expect_near("call_tree", "main/load/request/backoff", "wait_total_ns", in_load, 3);
        expect_near("call_tree", "main/flush/request/backoff", "wait_total_ns", in_flush, 3);
    }
    return 0;
}
