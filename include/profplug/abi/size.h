/* SPDX-License-Identifier: MIT */
/* size.h: how a size is written, for the runtime and the tool alike. Depends on stdint alone. */
#ifndef PROFPLUG_ABI_SIZE_H
#define PROFPLUG_ABI_SIZE_H

#include <stdint.h>

#define PP_SIZE_FORMS "bytes, more than 0, as 65536, 100k, 64M or 1GiB (K, M, G: times 1024)"

/* The least max-file. */
#define PP_FILE_LEAST (64u << 10)
#define PP_FILE_LEAST_FORM "64k or more, for one thread's numbers"

/* Bytes: a decimal number, then k, m or g if wanted, small or capital, then B or iB if wanted.
 * Returns 0 if `text` is none, or too large. */
static inline uint64_t pp_size_bytes(const char *text)
{
    uint64_t bytes = 0;
    unsigned shift = 0;
    for (; *text >= '0' && *text <= '9'; text++)
        if ((bytes = bytes * 10 + (uint64_t)(*text - '0')) >> 40)
            return 0;
    if (!bytes)
        return 0;
    switch (*text) {
    case 'k': case 'K': shift = 10; break;
    case 'm': case 'M': shift = 20; break;
    case 'g': case 'G': shift = 30; break;
    }
    if (shift)
        text++;
    if (shift && text[0] == 'i' && text[1] == 'B')
        text++;
    if (*text == 'B')
        text++;
    return *text || bytes << shift >> shift != bytes ? 0 : bytes << shift;
}

#endif
