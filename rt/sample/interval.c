/* SPDX-License-Identifier: MIT */
/* interval.c: see interval.h. Integer arithmetic only: a handler that used floating point would change the program's
 * floating-point state. */
#include "sample/interval.h"
#include "rt.h"

#define LOG_BITS 16    /* fraction bits of a logarithm */
#define LN2_Q16 45426u /* ln 2, times 65536 */

/* -ln of a uniform number in (0, 1], times 65536. The count of leading zeros is the integer part of the base-2
 * logarithm. Repeated squaring of the mantissa gives its fraction, one bit a turn. */
static uint64_t exponential_q16(uint64_t random)
{
    random |= 1; /* at least 2^-64: so the result is at most 44 times the mean */
    unsigned zeros = (unsigned)__builtin_clzll(random);
    uint64_t mantissa = random << zeros >> 33, fraction = 0; /* from 1 to below 2, times 2^30 */
    for (unsigned i = 0; i < LOG_BITS; i++) {
        mantissa = mantissa * mantissa >> 30;
        fraction <<= 1;
        if (mantissa >> 31) {
            mantissa >>= 1;
            fraction |= 1;
        }
    }
    uint64_t log2_q16 = ((uint64_t)(zeros + 1) << LOG_BITS) - fraction;
    return log2_q16 * LN2_Q16 >> 16;
}

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
        sum += exponential_q16(random_next(state));
    return least + ((mean_ns - least) * sum / samples >> 16);
}
