/* SPDX-License-Identifier: MIT */
/* extent.h: what reader.c, which finds and checks extents, and the files that read their content share. */
#ifndef PROFPLUG_EXTENT_H
#define PROFPLUG_EXTENT_H

#include "read/cursor.h"
#include "read/profile.h"

struct extent {
    uint64_t offset, size;
    uint32_t thread, kind;
    uint64_t room; /* total bytes of extents of its thread and kind; set by extents_take, as is: */
    size_t block;  /* index of its thread block in the profile */
};

struct extents {
    struct extent *item;
    size_t count, capacity;
};

/* Reads the content of every extent. False with a complaint in the cursor. The extents are in order of offset, and stay
 * so. */
bool extents_take(struct cursor *cursor, struct extents *extents, struct profile *profile);

/* By extent.def: whether `count` rows fit behind the extent's head, and how many fit at most. */
bool extent_fits(const struct extent *extent, uint64_t count);
uint64_t extent_most(const struct extent *extent);

/* Whether a table of `bytes` at `offset`, with `room` to the extent's end, can say that the next comes `next` bytes
 * after its own beginning; 0: it is the last one. */
bool table_next(struct cursor *cursor, uint64_t offset, uint64_t next, uint64_t bytes, uint64_t room);
/* For rows that are numbered through all extents of a block: complains if there cannot be `used` of them from number
 * `first` on. */
bool rows_check(struct cursor *cursor, const struct extent *extent, uint64_t first, uint64_t used, const char *what);

/* Calls `take` for each of `count` rows. Skips holes of the file, whose rows are zero. */
struct row {
    uint64_t index, offset;
    const void *bytes;
};
typedef bool (*row_taker)(struct cursor *cursor, struct profile *profile, const struct extent *extent,
                          const struct row *row);
bool rows_visit(struct cursor *cursor, struct profile *profile, const struct extent *extent, uint64_t count,
                const char *what, row_taker take);
/* The first row has number `first`. */
bool rows_visit_from(struct cursor *cursor, struct profile *profile, const struct extent *extent, uint64_t first,
                     uint64_t count, const char *what, row_taker take);

/* The buckets of a histogram that are not empty. */
struct profile_bucket *buckets_take(struct arena *arena, const uint64_t *histogram, uint32_t *count);

#endif
