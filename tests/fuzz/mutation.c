/* SPDX-License-Identifier: MIT */
/* mutation.c: see mutation.h. The file may be damaged already: nothing that it says is believed without a look at its size. */
#include "mutation.h"

#include <string.h>

#include <profplug/abi/format.h>

enum { EXTENTS_MOST = 512 };

struct place { uint64_t offset, size; uint32_t kind; };
struct places { struct place item[EXTENTS_MOST]; size_t count; };

uint64_t random_start(uint64_t seed) { return seed * UINT64_C(0x9E3779B97F4A7C15) + 1; }

uint64_t random_below(uint64_t *random, uint64_t n)
{
    *random ^= *random << 13;
    *random ^= *random >> 7;
    *random ^= *random << 17;
    return n ? *random % n : 0;
}

static void places_find(const unsigned char *bytes, size_t size, struct places *to)
{
    struct pp_directory d;
    uint64_t chunk = PP_HEADER_SIZE;
    to->count = 0;
    for (int chunks = 0; chunks < 4 && chunk <= size && size - chunk >= sizeof d; chunks++) {
        memcpy(&d, bytes + chunk, sizeof d);
        for (uint32_t i = 0; i < PP_DIRECTORY_ENTRIES && to->count < EXTENTS_MOST; i++)
            if (d.entry[i].kind && d.entry[i].offset < size)
                to->item[to->count++] = (struct place){ d.entry[i].offset, d.entry[i].size, d.entry[i].kind };
        if (!d.next)
            break;
        chunk = d.next;
    }
}

static uint64_t value_odd(uint64_t *random, uint64_t now, uint64_t size, const struct places *places)
{
    static const uint64_t odd[] = { 0, 1, 2, 3, 63, 64, 4095, 4096, INT32_MAX, UINT32_MAX, UINT64_MAX, UINT64_C(1) << 40, UINT64_C(1) << 62,
                                    UINT64_C(1) << 63, UINT64_C(0x7ff0000000000000), UINT64_C(0x7ff8000000000001), UINT64_C(0xfff0000000000000) };
    switch (random_below(random, 6)) {
    case 0:  return now + 1;
    case 1:  return now - 1;
    case 2:  return now ^ UINT64_C(1) << random_below(random, 64);
    case 3:  return places->count ? places->item[random_below(random, places->count)].offset : size;
    case 4:  return random_below(random, size / 8 + 1);
    default: return odd[random_below(random, sizeof odd / sizeof *odd)];
    }
}

/* A number of 4 or 8 bytes at `at` becomes an odd one. */
static void number_change(unsigned char *bytes, size_t size, uint64_t at, uint64_t *random, const struct places *places)
{
    size_t width = random_below(random, 2) ? 8 : 4;
    uint64_t value = 0;
    at = at / width * width;
    if (size < width || at > size - width)
        return;
    memcpy(&value, bytes + at, width);
    value = value_odd(random, value, size, places);
    memcpy(bytes + at, &value, width);
}

/* What a text may hold and a reader may stumble over. */
static void text_change(unsigned char *bytes, size_t size, uint64_t at, uint64_t *random)
{
    static const char odd[] = { 0, '\n', '%', '/', '.', ':', '"', '\\', 27, 127, (char)0xff, (char)0xc3 };
    uint64_t run = 1 + random_below(random, random_below(random, 8) ? 4 : 300);
    char with = odd[random_below(random, sizeof odd)];
    for (; run && at < size; run--, at++)
        bytes[at] = (unsigned char)with;
}

static size_t one_apply(unsigned char *bytes, size_t size, size_t capacity, const unsigned char *other, size_t other_size, uint64_t *random)
{
    struct places places;
    places_find(bytes, size, &places);
    const struct place *p = places.count ? &places.item[random_below(random, places.count)] : NULL;
    uint64_t at = p ? p->offset : 0, entries = PP_HEADER_SIZE + offsetof(struct pp_directory, entry), other_at, length;
    uint64_t count = places.count ? places.count : 1, row = sizeof(struct pp_directory_entry);
    switch (random_below(random, 16)) {
    case 0: case 1:
        number_change(bytes, size, random_below(random, random_below(random, 2) ? 240 : sizeof(struct pp_header)), random, &places);
        return size;
    case 2: case 3:
        number_change(bytes, size, PP_HEADER_SIZE + random_below(random, 16 + (count + 1) * row), random, &places);
        return size;
    case 4:                      /* one entry becomes the copy of another, perhaps of another kind */
        at = entries + random_below(random, count + 1) * row;
        other_at = entries + random_below(random, count) * row;
        if (at + row <= size && other_at + row <= size)
            memmove(bytes + at, bytes + other_at, random_below(random, 2) ? row : row - 8);
        return size;
    case 5: case 6: case 7:
        number_change(bytes, size, at + random_below(random, 64), random, &places);
        return size;
    case 8: case 9: case 10:
        number_change(bytes, size, at + 64 + random_below(random, random_below(random, 2) ? 1024 : p && p->size < size ? p->size : 4096), random, &places);
        return size;
    case 11:
        text_change(bytes, size, random_below(random, 4) ? at + 64 + random_below(random, 512) : random_below(random, sizeof(struct pp_header)), random);
        return size;
    case 12:
        if (size)
            bytes[random_below(random, size)] ^= (unsigned char)(1u << random_below(random, 8));
        return size;
    case 13:                     /* a piece of the other file, at pages of both */
        length = (1 + random_below(random, 8)) * PP_PAGE;
        at = random_below(random, size / PP_PAGE + 1) * PP_PAGE;
        other_at = random_below(random, other_size / PP_PAGE + 1) * PP_PAGE;
        length = length < other_size - other_at ? length : other_size - other_at;
        length = length < capacity - at ? length : capacity - at;
        if (other && length && at <= size) {
            memcpy(bytes + at, other + other_at, length);
            return at + length > size ? at + length : size;
        }
        return size;
    case 14:
        at = random_below(random, size / 64 + 1) * 64;
        length = random_below(random, 2) ? 64 : PP_PAGE;
        memset(bytes + at, 0, length < size - at ? length : size - at);
        return size;
    default:
        return random_below(random, 4) ? size : random_below(random, size / 64 + 1) * 64;
    }
}

size_t mutation_apply(unsigned char *bytes, size_t size, size_t capacity, const unsigned char *other, size_t other_size, uint64_t *random)
{
    for (uint64_t left = 1 + random_below(random, 6); left; left--)
        size = one_apply(bytes, size, capacity, other, other_size, random);
    return size;
}
