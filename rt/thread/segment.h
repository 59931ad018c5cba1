/* SPDX-License-Identifier: MIT */
/* segment.h: counters of the executable: struct pp_segment in emitted.h. */
#ifndef PP_SEGMENT_H
#define PP_SEGMENT_H

#include "rt.h"

/* The key of slot 0 of an object of the executable. The first call takes keys for all objects. 0: no keys are left.
 * Under pp_lock. */
uint32_t pp_segment_key(const struct pp_object *object);
/* Gives the thread its own counters. NULL: nothing is recorded, and it gets memory that nobody reads. Inline code
 * counts from now on. */
void pp_segment_open(const struct pp_object *object, struct pp_thread *thread);
/* pp_segment_begin does so for a new thread, before its first function. pp_segment_lend serves a thread that starts
 * before the runtime. pp_segment_settle books its counts for the given thread at the end; with NULL they are lost. */
void pp_segment_begin(struct pp_thread *thread);
void pp_segment_lend(void);
void pp_segment_settle(struct pp_thread *thread);
/* If nothing is recorded, gives the thread memory that nobody reads. Works once an object of the executable was
 * registered. */
bool pp_segment_is_wasted(void);
void pp_segment_waste(void);
/* The thread ends. */
void pp_segment_close(void);
/* During a fork nothing may be counted. Afterwards the forking function continues to count. */
void pp_segment_pause(bool pause);
/* The counter of this thread for the slot. NULL: it has none yet. */
uint64_t *pp_segment_counter(const struct pp_object *object, uint32_t slot);
/* Called if the slot's calls are not recorded: a framed site need not take its hook again. */
void pp_segment_quiet(const struct pp_object *object, uint32_t slot, bool uncounted);

#endif
