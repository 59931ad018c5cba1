/* SPDX-License-Identifier: MIT */
/* interval.h: how long a thread runs until its next samples. A round of samples has one interval between them, drawn
 * anew for each round from a gamma distribution, whose shape is the number of samples in the round. Then samples do not
 * synchronize with any rhythm of the program, and K samples on a line have at most the variance K. With a fixed
 * interval, a loop whose iteration takes one period would always be sampled at the same place. It must not know what a
 * sample is. */
#ifndef PROFPLUG_RT_INTERVAL_H
#define PROFPLUG_RT_INTERVAL_H

#include <stdint.h>

#define PP_INTERVAL_LEAST_NS 10000u /* the kernel's own minimum: it rounds shorter periods up to this */

/* The interval of a round of this many samples; the mean is mean_ns exactly. `state` is any number but 0.
 * Async-signal-safe. */
uint64_t pp_interval_draw(uint64_t *state, uint64_t mean_ns, unsigned samples);

#endif
