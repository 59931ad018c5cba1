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
/* The time until the first sample of a thread that begins, with rounds of two to follow: as if they had gone on
 * forever, so each moment of a thread's life is as likely to be sampled as any other. A moment falls into lengths in
 * proportion to them, and anywhere within: of gamma numbers, taken so, the distribution is that of the next shape
 * (of what is beyond the least). *rest_ns: from that sample to one more, of the same round; 0: a new round follows. */
static inline uint64_t pp_interval_first(uint64_t *state, uint64_t mean_ns, uint64_t *rest_ns)
{
    uint64_t random = *state, beyond = mean_ns - PP_INTERVAL_LEAST_NS;
    unsigned more = (uint32_t)random % mean_ns >= PP_INTERVAL_LEAST_NS;
    uint64_t length = pp_interval_draw(state, mean_ns + more * beyond / 2, 2 + more);
    *rest_ns = random >> 20 & 1 ? length : 0;
    length = length * (random >> 48) >> 16;
    return length > PP_INTERVAL_LEAST_NS ? length : PP_INTERVAL_LEAST_NS;
}

#endif
