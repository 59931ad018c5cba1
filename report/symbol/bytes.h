/* SPDX-License-Identifier: MIT */
/* bytes.h: reads numbers from bytes that nobody has checked: behind the end, all numbers are 0, and `bad` is set. */
#ifndef PROFPLUG_BYTES_H
#define PROFPLUG_BYTES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct bytes {
    const uint8_t *at, *end;
    bool bad;
};

static inline size_t bytes_left(const struct bytes *c) { return (size_t)(c->end - c->at); }

/* A number of 1 to 8 bytes, the lowest first. */
static inline uint64_t bytes_fixed(struct bytes *c, unsigned size)
{
    uint64_t value = 0;
    if (bytes_left(c) < size) {
        c->bad = true;
        c->at = c->end;
        return 0;
    }
    if (size == 1)
        value = *c->at;
    else if (size == 4 || size == 2 || size == 8)
        memcpy(&value, c->at, size);
    else
        for (unsigned i = size; i-- > 0;)
            value = value << 8 | c->at[i];
    c->at += size;
    return value;
}

/* Bits above the 64th are dropped. */
static inline uint64_t bytes_leb(struct bytes *c)
{
    uint64_t value = 0;
    if (c->at < c->end && *c->at < 0x80)
        return *c->at++;
    for (unsigned shift = 0; c->at < c->end; shift += 7) {
        uint8_t byte = *c->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    c->bad = true;
    return 0;
}

static inline int64_t bytes_signed_leb(struct bytes *c)
{
    uint64_t value = 0;
    for (unsigned shift = 0; c->at < c->end;) {
        uint8_t byte = *c->at++;
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
        if (byte < 0x80)
            return (int64_t)(shift < 64 && byte & 0x40 ? value | ~(uint64_t)0 << shift : value);
    }
    c->bad = true;
    return 0;
}

static inline void bytes_skip(struct bytes *c, uint64_t size)
{
    if (size > bytes_left(c)) {
        c->bad = true;
        c->at = c->end;
    } else {
        c->at = size ? c->at + size : c->at; /* without a piece there is no address to add to */
    }
}

/* A string up to its 0; "" if there is no 0. */
static inline const char *bytes_text(struct bytes *c)
{
    const char *text = (const char *)c->at;
    const uint8_t *end = bytes_left(c) ? memchr(c->at, 0, bytes_left(c)) : NULL;
    if (!end) {
        c->bad = true;
        c->at = c->end;
        return "";
    }
    c->at = end + 1;
    return text;
}

#endif
