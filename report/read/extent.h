/* SPDX-License-Identifier: MIT */
/* extent.h: between reader.c, which finds and checks extents, and extent.c, which takes out what each kind holds. */
#ifndef PROFPLUG_EXTENT_H
#define PROFPLUG_EXTENT_H

#include "read/cursor.h"
#include "read/profile.h"

struct extent {
    uint64_t offset, size;
    uint32_t thread, kind;
    uint64_t room;               /* bytes of all extents of its thread and kind; set by extents_take, as is: */
    size_t block;                /* its thread's place among the profile's blocks */
};

struct extents {
    struct extent *item;
    size_t count, capacity;
};

/* Takes out every extent's content; false with a complaint in the cursor. The extents are in order of offset, and stay so. */
bool extents_take(struct cursor *cursor, struct extents *extents, struct profile *profile);

#endif
