/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 10 */
/* base: 3 */
/* smallcalls.c: records of a packed file: widths of their fields are 1 to 13 bits, and all are taken by one reader. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BYTES 65536u

#ifdef FIXED
#define READER static inline __attribute__((always_inline))
#else
#define READER
#endif

struct reader {
    const uint8_t *next, *end;
    uint64_t held, taken;
    unsigned count;
    int failed;
};

READER unsigned field_take(struct reader *r, unsigned width)
{
    if (r->count < width) {
        if (r->end - r->next >= 4) {
            uint32_t four = (uint32_t)r->next[0] | (uint32_t)r->next[1] << 8 | (uint32_t)r->next[2] << 16 |
                            (uint32_t)r->next[3] << 24;
            r->held |= (uint64_t)four << r->count;
            r->count += 32;
            r->next += 4;
        } else if (r->next < r->end) {
            r->held |= (uint64_t)*r->next << r->count;
            r->count += 8;
            r->next++;
        } else {
            r->failed = 1;
            r->held = 0;
            r->count = 64;
        }
    }
    unsigned value = (unsigned)(r->held & ((1ULL << width) - 1));
    r->held >>= width;
    r->count -= width;
    r->taken += width;
    return value;
}

static uint64_t heights_sum(struct reader *r, unsigned count)
{
    uint64_t sum = 0;
    for (unsigned i = 0; i < count; i++)
        sum += field_take(r, 7) ^ i; /* @ */
    return sum;
}

static unsigned header_take(struct reader *r)
{
    unsigned version = field_take(r, 3), kind = field_take(r, 5);
    if (version == 7)
        kind += field_take(r, 13);
    return kind;
}

static uint64_t flags_count(struct reader *r, unsigned count)
{
    uint64_t set = 0;
    while (count--)
        set += field_take(r, 1);
    return set;
}

int main(int argc, char **argv)
{
    static uint8_t packed[BYTES];
    unsigned rounds = (unsigned)(1500 * (argc > 1 ? atof(argv[1]) : 1)) + 1, state = 11;
    uint64_t sum = 0, bits = 0;
    for (unsigned i = 0; i < BYTES; i++)
        packed[i] = (uint8_t)((state = state * 1664525u + 1013904223u) >> 24);
    for (unsigned n = 0; n < rounds; n++) {
        struct reader r = { packed, packed + BYTES, 0, 0, 0, 0 };
        sum += header_take(&r);
        sum += heights_sum(&r, 70000);
        sum += flags_count(&r, 300);
        bits += r.taken;
        packed[n % BYTES]++;
    }
    printf("%llu of %llu bits\n", (unsigned long long)sum, (unsigned long long)bits);
    return 0;
}
