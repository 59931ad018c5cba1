/* SPDX-License-Identifier: MIT */
/* exponential.h: random numbers with an exponential distribution, for intervals between samples. Integer arithmetic
 * only: a handler that used floating point would change the program's floating-point state. */
#ifndef PP_EXPONENTIAL_H
#define PP_EXPONENTIAL_H

#include <stdint.h>

#define PP_LOG_BITS 16    /* fraction bits of a logarithm */
#define PP_LN2_Q16 45426u /* ln 2, times 65536 */

/* -ln of a uniform number in (0, 1], times 65536. The count of leading zeros is the integer part of the base-2
 * logarithm. Repeated squaring of the mantissa gives its fraction, one bit a turn, without a jump: no processor can
 * predict these bits. */
static inline uint64_t pp_exponential_q16(uint64_t random)
{
    random |= 1; /* at least 2^-64: so the result is at most 44 times the mean */
    unsigned zeros = (unsigned)__builtin_clzll(random);
    uint64_t mantissa = random << zeros >> 33, fraction = 0; /* from 1 to below 2, times 2^30 */
    for (unsigned i = 0; i < PP_LOG_BITS; i++) {
        mantissa = mantissa * mantissa >> 30;
        uint64_t bit = mantissa >> 31;
        mantissa >>= bit;
        fraction = fraction << 1 | bit;
    }
    uint64_t log2_q16 = ((uint64_t)(zeros + 1) << PP_LOG_BITS) - fraction;
    return log2_q16 * PP_LN2_Q16 >> 16;
}

#endif
