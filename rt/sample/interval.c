/* SPDX-License-Identifier: MIT */
/* interval.c: see interval.h. */
#include "sample/interval.h"
#include "rt.h"
#include "system/exponential.h"

static uint64_t random_next(uint64_t *state)
{
    uint64_t x = *state; /* xorshift64* (Vigna) */
    x ^= x >> 12;
    x ^= x << 25;
    x ^= x >> 27;
    *state = x;
    return x * UINT64_C(0x2545f4914f6cdd1d);
}

/* A sum of N exponential numbers has a gamma distribution of shape N. If it is used N times, the variance of how many
 * samples are taken in a long time is that of independent exponential intervals. In any rhythm of the program it is
 * at most that: the unit test computes it. */
uint64_t pp_interval_draw(uint64_t *state, uint64_t mean_ns, unsigned samples)
{
    uint64_t least = mean_ns < 2 * PP_INTERVAL_LEAST_NS ? mean_ns / 2 : PP_INTERVAL_LEAST_NS, sum = 0;
    for (unsigned i = 0; i < samples; i++)
        sum += pp_exponential_q16(random_next(state));
    return least + ((mean_ns - least) * sum / samples >> 16);
}
