/* SPDX-License-Identifier: MIT */
/* clock.h: the time in nanoseconds of CLOCK_MONOTONIC, as cheaply as the machine allows. It must not know what is
 * timed.
 *
 * If the processor's time stamp counter is invariant and the kernel uses it for its own time, the counter is read and
 * converted. Otherwise the C library is asked. It is also asked during the first milliseconds, in which the counter's
 * rate is measured. The rate is measured again over growing spans. The conversion is a line, and a new line begins
 * where the old one is, so time never jumps. */
#ifndef PROFPLUG_RT_CLOCK_H
#define PROFPLUG_RT_CLOCK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#define PP_CLOCK_SHIFT 32

struct pp_clock {
    _Atomic uint32_t sequence; /* odd while a new line is written; even and 0: no line, ask the C library */
    uint32_t usable;           /* 1: the counter may be used, as far as is known */
    _Atomic uint64_t ticks;    /* the line: at `ticks` it was `ns`, and a tick lasts mult / 2^32 ns */
    _Atomic uint64_t ns;
    _Atomic uint64_t mult;
    _Atomic uint64_t renew_ticks;   /* when the rate is taken anew */
    uint64_t first_ticks, first_ns; /* the pair that all rates are taken from */
};
extern struct pp_clock pp_clock;

void pp_clock_start(void);
void pp_clock_fork_child(void); /* another thread may have been writing the line at the fork */
const char *pp_clock_name(void);
uint64_t pp_clock_slow_ns(void); /* asks the C library, takes the rate when it is due; keeps errno */

inline uint64_t pp_clock_convert(uint64_t ticks, uint64_t from_ticks, uint64_t from_ns, uint64_t mult)
{
    if (ticks <= from_ticks) /* another CPU's counter, slightly behind */
        return from_ns;
    return from_ns + (uint64_t)((unsigned __int128)(ticks - from_ticks) * mult >> PP_CLOCK_SHIFT);
}

/* The line for a new rate. It starts from the old line at `ticks`, and meets the true time after `span` ticks. */
static inline uint64_t pp_clock_mult(uint64_t from_ns, uint64_t true_ns, uint64_t true_mult, uint64_t span)
{
    int64_t behind = (int64_t)(true_ns - from_ns); /* positive: our line is late and must run faster */
    int64_t add = span ? (int64_t)((__int128)behind * ((__int128)1 << PP_CLOCK_SHIFT) / (__int128)span) : 0;
    int64_t bound = (int64_t)(true_mult / 10000); /* never more than 0.01 % off the rate */
    if (add > bound)
        add = bound;
    if (add < -bound)
        add = -bound;
    return true_mult + (uint64_t)add;
}

void pp_clock_stop(void); /* a sandbox is about to forbid the counter, and perhaps every clock */
void pp_clock_resume(void);
/* Where it is not put in line, it is the one of clock.c. */
inline uint64_t pp_clock_ns(void)
{
#if defined(__x86_64__)
    if (__builtin_expect(pp_clock.usable, 1)) {
        uint32_t before = atomic_load_explicit(&pp_clock.sequence, memory_order_acquire); /* partner: clock_renew */
        if (__builtin_expect(before != 0 && !(before & 1), 1)) {
            uint64_t ticks = __builtin_ia32_rdtsc();
            uint64_t from = atomic_load_explicit(&pp_clock.ticks, memory_order_relaxed);
            uint64_t ns = atomic_load_explicit(&pp_clock.ns, memory_order_relaxed);
            uint64_t mult = atomic_load_explicit(&pp_clock.mult, memory_order_relaxed);
            uint64_t renew = atomic_load_explicit(&pp_clock.renew_ticks, memory_order_relaxed);
            atomic_thread_fence(memory_order_acquire);
            if (__builtin_expect(atomic_load_explicit(&pp_clock.sequence, memory_order_relaxed) == before &&
                                     ticks >= from && ticks < renew,
                                 1))
                return pp_clock_convert(ticks, from, ns, mult);
        }
    }
#endif
    return pp_clock_slow_ns();
}

uint64_t pp_now_ns(void); /* CLOCK_MONOTONIC; async-signal-safe, never backwards within a thread */

#endif
