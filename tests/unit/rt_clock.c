/* SPDX-License-Identifier: MIT */
/* The clock: the arithmetic against a simulated counter with a known error, then the real one against the C library's. */
#define _GNU_SOURCE
#include "system/clock.h"
#include "system/state.h"
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static uint64_t library_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* A counter of 2.7 GHz whose readings are off by up to 40 ns: the line stays within 0.01 % and never steps back. */
static int simulate(void)
{
    const double rate = 1e9 / 2.7e9;
    uint64_t first_ticks = 1000, seed = 1, ticks = 1000, ns = 0, mult = 0, last = 0;
    double first_ns = 0;
    for (int round = 0; round < 40; round++) {
        uint64_t span = round == 0 ? 13500000 : (ticks - first_ticks) * 4 < 270000000000u ? (ticks - first_ticks) * 4 : 270000000000u;
        uint64_t next = ticks + span;
        if (round)
            for (int i = 0; i <= 1000; i++) {
                uint64_t at = ticks + span / 1000 * (uint64_t)i, got = pp_clock_convert(at, ticks, ns, mult);
                double truth = (double)(at - first_ticks) * rate;
                if (got < last || fabs((double)got - truth) > 100 + truth * 1e-4) {
                    printf("round %d: at tick %llu the clock says %llu, the truth is %.0f, it said %llu before\n", round, (unsigned long long)at, (unsigned long long)got, truth,
                           (unsigned long long)last);
                    return 1;
                }
                last = got;
            }
        seed = seed * UINT64_C(6364136223846793005) + 1;
        double truth = (double)(next - first_ticks) * rate + (double)(seed >> 40 & 63) - 32;
        uint64_t measured = (uint64_t)((truth - first_ns) / (double)(next - first_ticks) * 4294967296.0);
        uint64_t from = round ? pp_clock_convert(next, ticks, ns, mult) : (uint64_t)truth;
        mult = round ? pp_clock_mult(from, (uint64_t)truth, measured, span * 4) : measured;
        ns = from;
        ticks = next;
    }
    return 0;
}

static _Atomic int failed;
static void *watch(void *arg)
{
    uint64_t end = library_ns() + 400000000, last = 0;
    while (library_ns() < end) {
        uint64_t before = library_ns(), now = pp_clock_ns(), after = library_ns();
        /* The rate is right to 1e-8 of the elapsed time, and a reading to some hundred nanoseconds. */
        if (now < last || now + 40000 < before || now > after + 40000)
            if (!failed++)
                printf("the clock says %llu between %llu and %llu, %llu before\n", (unsigned long long)now, (unsigned long long)before, (unsigned long long)after, (unsigned long long)last);
        last = now;
    }
    return arg;
}

int main(void)
{
    if (simulate())
        return 1;
    pp_clock_start();
    printf("clock: %s\n", pp_clock_name());
    pthread_t t[3];
    uint64_t before[2] = { library_ns() }, us = pp_clock_ns();
    before[1] = library_ns();
    for (int i = 0; i < 3; i++)
        pthread_create(&t[i], 0, watch, 0);
    for (int i = 0; i < 3; i++)
        pthread_join(t[i], 0);
    /* Between two readings of its own there can be another program: what the library's clock says before and after brackets ours. */
    uint64_t after = library_ns(), us_took = pp_clock_ns() - us;
    double least = (double)(after - before[1]), most = (double)(library_ns() - before[0]);
    printf("over %.3f to %.3f ms it says %.3f\n", least / 1e6, most / 1e6, (double)us_took / 1e6);
    return failed || (double)us_took < least * (1 - 1e-4) || (double)us_took > most * (1 + 1e-4);
}
