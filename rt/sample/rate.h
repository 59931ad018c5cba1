/* SPDX-License-Identifier: MIT */
/* rate.h: how often a thread is sampled: at the requested rate, or less often while that would exceed its part of
 * the budget. It must not know what a sample is, nor which clock raises it. */
#ifndef PROFPLUG_RT_RATE_H
#define PROFPLUG_RT_RATE_H

#include "rt.h"
#include <sys/resource.h>

/* What the kernel knows of this thread; NULL: it may not be asked. */
const struct rusage *pp_rate_usage(struct rusage *usage);

/* All functions here are called by the thread itself, and are async-signal-safe. At the thread's birth: */
void pp_rate_begin(struct pp_rate *rate);
/* How many periods the next sample represents. `random`: uniform. */
uint64_t pp_rate_draw(const struct pp_rate *rate, uint64_t random);
/* A sample was taken. It represents `periods` and took spent_ns. */
void pp_rate_note(struct pp_thread *thread, uint64_t periods, uint64_t period_ns, uint64_t spent_ns);
/* The event was armed, which took this long. Returns that, or less if the thread was preempted meanwhile. */
uint64_t pp_rate_armed(struct pp_rate *rate, uint64_t took_ns);
/* The handler of a sample took this long. Returns that, or what one takes in the mean if the thread was preempted
 * meanwhile. */
uint64_t pp_rate_handled(struct pp_rate *rate, uint64_t took_ns);
/* How many periods a timer's signal represents that came after so many of them by the kernel's count: by the user time
 * that the thread had since the last one. The kernel counts its ticks, which seldom meet a thread that runs for less
 * than a tick at a time. pp_rate_forget: until now it was sampled by an event. */
uint64_t pp_rate_ticked(struct pp_rate *rate, const struct rusage *usage, uint64_t periods, uint64_t period_ns);
void pp_rate_forget(struct pp_rate *rate);
/* What else is spent for samples. */
void pp_rate_spend(struct pp_rate *rate, uint64_t spent_ns);
/* What the kernel takes to raise the signal of a perf event, and to return from its handler. */
uint64_t pp_rate_raising_ns(const struct pp_rate *rate);
/* What a sample took, in the mean of this window; 0 if there was none yet. */
uint64_t pp_rate_sample_ns(const struct pp_rate *rate);
/* Does the thread switch context so often that perf events alone would exceed the budget? At each switch the kernel
 * stops the event's timer, and arms it again when the thread continues. Once true, it stays true until switches are
 * four times as rare. */
bool pp_rate_turns(struct pp_thread *thread, const struct rusage *usage);
/* The thread's birth. `is_new`: nothing of it was before. */
void pp_rate_turns_begin(struct pp_thread *thread, bool is_new);

#define PP_RATE_TICKS 4u /* ticks are a good part of all samples: one in so many */

/* A timer's signal was booked for so many periods. The header says whether such are a good part of all samples. A
 * count is lost where two threads add at once. A forked child goes on from its parent's number. */
static inline void pp_rate_by_ticks(struct pp_header *header, uint64_t periods)
{
    static _Atomic uint64_t by_ticks;
    _Atomic uint64_t *features = (_Atomic uint64_t *)&header->features_ignorable;
    uint64_t all = header->events_sampled, sum = atomic_load_explicit(&by_ticks, memory_order_relaxed) + periods,
             set = atomic_load_explicit(features, memory_order_relaxed) | PP_IGNORABLE_TICKED;
    sum = sum < all ? sum : all;
    atomic_store_explicit(&by_ticks, sum, memory_order_relaxed);
    atomic_store_explicit(features, sum * PP_RATE_TICKS < all ? set - PP_IGNORABLE_TICKED : set, memory_order_relaxed);
}

#endif
