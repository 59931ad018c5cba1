/* SPDX-License-Identifier: MIT */
/* rate.h: how often a thread is sampled: as often as was asked for, while the budget has room for it and for all else that profiling costs; less often
 * while it has not. It must not know what a sample is, nor by which clock one comes. */
#ifndef PROFPLUG_RT_RATE_H
#define PROFPLUG_RT_RATE_H

#include "rt.h"

/* Own thread, all of them; async-signal-safe. At the thread's birth: nothing is known yet. */
void pp_rate_begin(struct pp_rate *rate);
/* How many periods the coming sample stands for. `random`: uniform. */
uint64_t pp_rate_draw(const struct pp_rate *rate, uint64_t random);
/* A sample was taken that stood for so many periods and took spent_ns, arming the next one arming_ns of that; busy: it found the runtime itself at work. */
void pp_rate_note(struct pp_thread *thread, uint64_t periods, uint64_t period_ns, uint64_t spent_ns, uint64_t arming_ns, bool busy);
/* Whether the thread is taken off its CPU so often, of late, that this alone would cost the budget: each time the kernel stops its event's timer, and arms it when it
 * goes on. Once so, until it comes four times as rarely. `event`: it has one that runs, and what that cost is to be accounted for. */
bool pp_rate_turns(struct pp_thread *thread, bool event);

#endif
