/* SPDX-License-Identifier: MIT */
/* tail.c SHAPE: functions whose calls are so short and many that only some are timed, and what all of them took by the program's own clock. Each shape has another
 * spread of lengths: even, skew (a call in a hundred is fifty times as long), rare (a call in five thousand a thousand times as long), waits (such a call sleeps).
 * Prints a row: calls, nanoseconds. */
#define _GNU_SOURCE
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define CALLS 40000
#define STEPS 600

static volatile unsigned sink;
static uint64_t state = 88172645463325252u;

static __attribute__((no_instrument_function)) uint64_t clock_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __attribute__((no_instrument_function)) uint64_t draw(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

__attribute__((noinline)) static void work(unsigned steps, long sleep_ns)
{
    for (unsigned i = 0; i < steps; i++)
        sink += i;
    if (sleep_ns)
        nanosleep(&(struct timespec){ 0, sleep_ns }, NULL);
}

int main(int count, char **arguments)
{
    const char *shape = count > 1 ? arguments[1] : "even";
    uint64_t whole = 0;
    state += (uint64_t)time(NULL) * 2654435761u ^ clock_ns();
    for (int i = 0; i < CALLS; i++) {
        unsigned steps = STEPS;
        long sleep_ns = 0;
        if (!strcmp(shape, "skew"))
            steps = draw() % 100 ? STEPS : STEPS * 50;
        else if (!strcmp(shape, "rare"))
            steps = draw() % 5000 ? STEPS : STEPS * 1000;
        else if (!strcmp(shape, "waits") && !(draw() % 5000))
            sleep_ns = 3000000;
        uint64_t before = clock_ns();
        work(steps, sleep_ns);
        whole += clock_ns() - before;
    }
    printf("%d %llu\n", CALLS, (unsigned long long)whole);
    return 0;
}
