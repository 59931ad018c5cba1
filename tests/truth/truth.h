/* SPDX-License-Identifier: MIT */
/* truth.h: how a test program tells what a right report must say. Each expect_* prints one row for check.py:
 * LIST NAME FIELD VALUE TOLERANCE, the tolerance in percent, or as +-N, `scaled` for some of the printed errors of a scaled metric, `oneof` for numbers with | between, or `estimate`: the larger of 5 % and some of the
 * printed errors (check.py). VALUE may be LOW-HIGH: from inside and from outside, or CPU time and wall time, which are the same on an idle
 * machine; on a busy one, nobody can say which line the scheduler took the CPU from. They come from the program's own clock, in the same run. */
#ifndef TRUTH_H
#define TRUTH_H

#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#define HIDDEN_FROM_PROFILER __attribute__((no_instrument_function))

HIDDEN_FROM_PROFILER static inline uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

HIDDEN_FROM_PROFILER static inline uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

/* Spins ROUNDS times on this very line. The asm keeps the loop as it is at every level. */
#define BURN(rounds) for (long burn_ = (rounds); burn_ > 0; burn_--) __asm__ volatile("" ::: "memory")

/* Rounds of BURN in a millisecond of CPU time, on this machine, now. By the wall clock, beside busy loops, all tries
 * can last ten times as long. */
HIDDEN_FROM_PROFILER static inline long burn_calibrate(void)
{
    uint64_t best = UINT64_MAX;
    for (int i = 0; i < 5; i++) {
        uint64_t t = cpu_ns();
        BURN(2000000);
        t = cpu_ns() - t;
        best = t < best ? t : best;
    }
    return (long)(2000000.0 * 1e6 / (double)best) + 1;
}

HIDDEN_FROM_PROFILER static inline void expect_exact(const char *list, const char *name, const char *field, uint64_t value)
{
    printf("%s %s %s %" PRIu64 " 0\n", list, name, field, value);
}
HIDDEN_FROM_PROFILER static inline void expect_near(const char *list, const char *name, const char *field, uint64_t value, double percent)
{
    printf("%s %s %s %" PRIu64 " %g\n", list, name, field, value, percent);
}
/* Between what the clocks say from inside the probes and from outside, PERCENT to either side. */
HIDDEN_FROM_PROFILER static inline void expect_between(const char *list, const char *name, const char *field, uint64_t low, uint64_t high, double percent)
{
    printf("%s %s %s %" PRIu64 "-%" PRIu64 " %g\n", list, name, field, low, high, percent);
}
HIDDEN_FROM_PROFILER static inline void expect_estimate(const char *list, const char *name, const char *field, uint64_t cpu, uint64_t wall)
{
    printf("%s %s %s %" PRIu64 "-%" PRIu64 " estimate\n", list, name, field, cpu < wall ? cpu : wall, wall);
}
#endif
