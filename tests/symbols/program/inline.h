/* SPDX-License-Identifier: MIT */
/* inline.h: functions that get inlined into each other, so that chains have several links. The first code of a unit that
 * includes this comes from here, which is where line tables of DWARF 5 are easily misread. */
#ifndef INLINE_H
#define INLINE_H
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static inline uint32_t mix(uint32_t value)
{
    value ^= value >> 16;
    value *= 0x7feb352du;
    value ^= value >> 15;
    return value * 0x846ca68bu;
}

static inline uint32_t mix_text(const char *text)
{
    uint32_t hash = 5381;
    while (*text)
        hash = mix(hash + (unsigned char)*text++);
    return hash;
}

static inline int clamp(int value, int low, int high)
{
    if (value < low)
        return low;
    return value > high ? high : value;
}

static inline void *must(void *memory)
{
    if (__builtin_expect(!memory, 0))
        abort();
    return memory;
}

static inline void *grown(void *memory, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return memory;
    *capacity = *capacity ? *capacity * 2 : 8;
    return must(realloc(memory, *capacity * size));
}
#endif
