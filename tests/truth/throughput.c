/* SPDX-License-Identifier: MIT */
/* throughput.c: items that are handled at a changing rate, by two threads, in a stage that counts them, and a loop that
 * counts nothing. Prints the time before and after each, by the clock of a report's start_time: `items STAGE N BEFORE
 * AFTER`, `iteration LOOP 1 BEFORE AFTER`. */
#include <pthread.h>
#include <stdlib.h>

#include <profplug.h>
#include "truth.h"

enum { MOST = 200000 };
struct stamp { uint64_t before, after; int count; };
static struct stamp stamp[3][MOST];
static int stamps[3];

HIDDEN_FROM_PROFILER static uint64_t epoch_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

HIDDEN_FROM_PROFILER static void stamp_add(int list, uint64_t before, int count)
{
    if (stamps[list] < MOST)
        stamp[list][stamps[list]++] = (struct stamp){ before, epoch_ns(), count };
}

/* One long entry: its counts are known before it ends. */
PROFPLUG_STAGE("feed", "data_loading") static __attribute__((noinline)) void feed(int list, uint64_t for_ns, uint64_t each_ns, int batch)
{
    for (uint64_t start = now_ns(), due = start; now_ns() - start < for_ns; ) {
        for (due += each_ns; now_ns() < due;) { }
        uint64_t before = epoch_ns();
        profplug_count("items", batch);
        stamp_add(list, before, batch);
    }
}

static void *other(void *unused)
{
    feed(1, 1500000000, 900000, 5);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_create(&thread, 0, other, 0);
    feed(0, 400000000, 200000, 3);
    feed(0, 400000000, 1600000, 3);
    feed(0, 400000000, 100000, 3);
    pthread_join(thread, 0);
    PROFPLUG_LOOP("beats")
    for (int i = 0; i < 600; i++) {
        uint64_t start = now_ns(), before = epoch_ns();
        while (now_ns() - start < 700000) { }
        stamp_add(2, before, 1);
    }
    for (int list = 0; list < 3; list++)
        for (int i = 0; i < stamps[list]; i++)
            printf("%s %d %" PRIu64 " %" PRIu64 "\n", list == 2 ? "beats" : "feed", stamp[list][i].count, stamp[list][i].before, stamp[list][i].after);
    return 0;
}
