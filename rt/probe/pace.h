/* SPDX-License-Identifier: MIT */
/* pace.h: which calls of functions are timed. */
#ifndef PP_PACE_H
#define PP_PACE_H

#include "rt.h"


/* A framed site's call came to the hook and stands for `calls`; frame null: it is not timed. Decides which one comes next. */
void pp_pace(struct pp_thread *thread, uint64_t *counter, uint64_t calls, struct pp_frame *frame);
uint64_t pp_pace_mean(const struct pp_frame *frame, uint64_t wall_ns);    /* what its function's last timed calls took; of the first, WALL_NS */
void pp_pace_note(const struct pp_frame *frame, uint64_t wall_ns);        /* a function's timed call has ended */

#endif
