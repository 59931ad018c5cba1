/* SPDX-License-Identifier: MIT */
/* odd.c: what traces draw, under names that mean something to a format: stages that overlap and that nest, iterations,
 * numbers, waits, a snapshot, two threads, and calls of one function from two lines of another. */
#define _GNU_SOURCE
#include <profplug.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

static volatile uint64_t sink;

__attribute__((noinline)) static void grind(int times)
{
    for (int i = 0; i < times; i++)
        sink = sink * 31 + (uint64_t)i;
}

__attribute__((noinline)) static void twice(int times)
{
    grind(times);
    grind(times);
    sink++;
}

PROFPLUG_STAGE("a;b \"c\" 'd' <e>\\f") __attribute__((noinline)) static void stage_of(int times)
{
    twice(times);
    usleep(2000);
}

static void *crew_run(void *name)
{
    pthread_setname_np(pthread_self(), name);
    for (int i = 0; i < 3; i++)
        stage_of(5000000);
    return NULL;
}

int main(void)
{
    pthread_t crew[2];
    pthread_create(&crew[0], NULL, crew_run, "one \"; <b>");
    pthread_create(&crew[1], NULL, crew_run, "two \xff");
    PROFPLUG_LOOP("loop of five")
    for (int i = 0; i < 5; i++) {
        grind(1000000);
        profplug_count("items \"per\" go", 10 + i);
        profplug_gauge("depth; below 0", 2 - i);
    }
    profplug_snapshot("a \"moment\"");
    profplug_begin("not UTF-8: \xff\xfe");
    grind(500000);
    profplug_begin("overlaps");
    grind(500000);
    profplug_end("not UTF-8: \xff\xfe");
    grind(500000);
    profplug_end("overlaps");
    pthread_join(crew[0], NULL);
    pthread_join(crew[1], NULL);
    puts("done");
    return 0;
}
