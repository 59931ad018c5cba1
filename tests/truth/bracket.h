/* SPDX-License-Identifier: MIT */
/* bracket.h: how long a call takes, by the clocks of who calls: two readings around it, between which it took at most what the monotonic clock says. At least it took what of that
 * the thread was off the CPU, unless it was taken off it between the readings, which may have been beside the call: then nothing is known of the least. So whoever
 * compares needs no allowance for the scheduler. */
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

/* The monotonic clock is read last at the beginning and first at the end, that nothing but the call is between its readings; what counts switches is read first, and last. */
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

/* What has gone by since. */
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

static inline double bracket_least(struct bracket passed) { return passed.taken_off || passed.at < passed.cpu ? 0 : passed.at - passed.cpu; }

#endif
