/* SPDX-License-Identifier: MIT */
/* path.h: the calls that a sample or a wait was reached by, booked as a path in the thread's tree of them. Knows nothing of how they are found. All of
 * it in the thread that owns the block, with its signals held off. */
#ifndef PP_PATH_H
#define PP_PATH_H

#include "rt.h"


struct pp_trail;

/* An empty one for the thread; `kept` is a word of the block, 0 at first. Null: no memory. */
struct pp_trail *pp_trail_begin(uint64_t *kept);
/* The next call, innermost first: its place in the module's file. False: no room for more. */
bool pp_trail_add(struct pp_trail *trail, uint64_t address, uint32_t module);
/* The number of the path, 0 for none, or without a trail; `weight` samples lack a part of theirs where there is no room. */
uint32_t pp_trail_book(struct pp_trail *trail, struct pp_thread *thread, enum pp_path_end end, uint64_t weight);

#endif
