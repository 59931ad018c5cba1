/* SPDX-License-Identifier: MIT */
/* bracket.h: bounds for the duration of a call, by the caller's clocks: a reading before and one after it. It took at
 * most the monotonic time in between. It took at least the part of that in which the thread was off the CPU, less what
 * the runtime may wait for its own locks beside the call, and a virtual machine for its host. There is no lower bound
 * where the thread was preempted, perhaps before or after the call. */
#ifndef PROFPLUG_TEST_BRACKET_H
#define PROFPLUG_TEST_BRACKET_H

#include <sys/resource.h>
#include <time.h>

struct bracket { double at, cpu; long taken_off; };

static inline double bracket_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* The monotonic clock is read last before the call and first after it, so that nothing but the call is in between. The
 * switches are read first, and last. */
static inline struct bracket bracket_begin(void)
{
    struct rusage usage;
    struct bracket b;
    getrusage(RUSAGE_THREAD, &usage);
    b.taken_off = usage.ru_nivcsw;
    b.cpu = bracket_clock(CLOCK_THREAD_CPUTIME_ID);
    b.at = bracket_clock(CLOCK_MONOTONIC);
    return b;
}

/* The time since then. */
static inline struct bracket bracket_end(struct bracket begin)
{
    struct rusage usage;
    struct bracket b;
    b.at = bracket_clock(CLOCK_MONOTONIC) - begin.at;
    b.cpu = bracket_clock(CLOCK_THREAD_CPUTIME_ID) - begin.cpu;
    getrusage(RUSAGE_THREAD, &usage);
    b.taken_off = usage.ru_nivcsw - begin.taken_off;
    return b;
}

#define BRACKET_BESIDE_NS 20e6

static inline double bracket_least(struct bracket passed)
{
    double off = passed.at - passed.cpu - BRACKET_BESIDE_NS;
    return passed.taken_off || off < 0 ? 0 : off;
}

#endif
