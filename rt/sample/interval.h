/* SPDX-License-Identifier: MIT */
/* interval.h: how long a thread runs until its next sample. Each interval is drawn anew, exponentially: then it is no matter in which rhythm
 * the program does what, and how often K samples hit a line has the variance K, whatever the program's course. Intervals
 * of one length would keep step with it: a loop whose turn takes a period is always met at the same place. It must not know what a
 * sample is. */
#ifndef PROFPLUG_RT_INTERVAL_H
#define PROFPLUG_RT_INTERVAL_H

#include <stdint.h>

#define PP_INTERVAL_LEAST_NS 10000u      /* the kernel's own: it takes a shorter one for this */

/* The next one; the mean is mean_ns exactly. `state` is any number but 0. Async-signal-safe. */
uint64_t pp_interval_draw(uint64_t *state, uint64_t mean_ns);

#endif
