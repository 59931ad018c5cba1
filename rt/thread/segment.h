/* SPDX-License-Identifier: MIT */
/* segment.h: counters of the executable: struct pp_segment in format.h. */
#ifndef PP_SEGMENT_H
#define PP_SEGMENT_H

#include "rt.h"

/* Keys for all of them, once; of an object of it, the key of slot 0. 0: none are left. Under pp_lock. */
uint32_t pp_segment_key(const struct pp_object *object);
/* Gives the thread its own, or, where nothing is recorded (thread null), room that nobody reads: from then on code
 * counts by itself. */
void pp_segment_open(const struct pp_object *object, struct pp_thread *thread);
/* The same for a new thread, before its first function; for one that begins before the runtime is on, whose counts the
 * thread at the end gets (or null: they are lost). */
void pp_segment_begin(struct pp_thread *thread);
void pp_segment_lend(void);
void pp_segment_settle(struct pp_thread *thread);
/* The same where nothing is recorded: room that nobody reads. Only once an object of the executable has come to
 * pp_segment_open so. */
bool pp_segment_is_wasted(void);
void pp_segment_waste(void);
/* The thread ends. */
void pp_segment_close(void);
/* While a fork is under way nothing may be counted; then the function that forked counts on. */
void pp_segment_pause(bool pause);
/* Where this thread counts at the slot; null where it does not yet. */
uint64_t *pp_segment_counter(const struct pp_object *object, uint32_t slot);
/* Its calls are not recorded: a framed site need not come to its hook again. */
void pp_segment_quiet(const struct pp_object *object, uint32_t slot, bool uncounted);

#endif
