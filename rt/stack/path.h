/* SPDX-License-Identifier: MIT */
/* path.h: books the calls that led to a sample or a wait as a path in the thread's tree of calls. It must not know how
 * they are found. All functions are called by the thread that owns the block, with signals blocked. */
#ifndef PP_PATH_H
#define PP_PATH_H

#include "rt.h"

struct pp_trail;

/* Starts an empty trail for the thread. `kept` is a word of the block where its address is kept, 0 at first. Null: no
 * memory. */
struct pp_trail *pp_trail_begin(uint64_t *kept);
/* Adds the next call, innermost first, by its address in the module's file. False: there is no room for more. */
bool pp_trail_add(struct pp_trail *trail, uint64_t address, uint32_t module);
/* Returns the number of the path, 0 if there is none or the trail is null. `end` says why the outermost call has no
 * caller. If there is no room for the whole path, `weight` samples are counted as lost paths. */
uint32_t pp_trail_book(struct pp_trail *trail, struct pp_thread *thread, enum pp_path_end end, uint64_t weight);

#endif
