/* SPDX-License-Identifier: MIT */
/* extent.h: between reader.c, which finds and checks extents, and the files that take out what each kind holds. */
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

/* Takes out every extent's content; false with a complaint in the cursor. The extents are in order of offset, and stay
 * so. */
bool extents_take(struct cursor *cursor, struct extents *extents, struct profile *profile);

/* Of extent.def: whether `count` rows fit behind the extent's head, and how many at most do. */
bool extent_fits(const struct extent *extent, uint64_t count);
uint64_t extent_most(const struct extent *extent);

/* Rows that are numbered through all extents of a block: a complaint if `used` of them from number `first` on cannot be
 * there. */
bool rows_check(struct cursor *cursor, const struct extent *extent, uint64_t first, uint64_t used, const char *what);

/* Calls `take` for each of `count` rows, but for those in holes of the file, which are zero. */
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
