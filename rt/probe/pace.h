/* SPDX-License-Identifier: MIT */
/* pace.h: which calls of functions are timed, and the counters by which a framed site takes part in that. */
#ifndef PP_PACE_H
#define PP_PACE_H

#include "rt.h"

/* The PP_FRAMED_SLOTS counters of a framed site, as indices from the counter of its first slot. Emitted code increments
 * that one, and calls the hook once it is not negative. Keys fall as slots rise, so the other three lie below it. */
enum {
    PP_FRAMED_REST = 0,    /* calls so far, minus PP_FRAMED_DUE: negative while no call is due */
    PP_FRAMED_DUE = -1,    /* number of the next call that takes the hook; 0: every call does */
    PP_FRAMED_BOOKED = -2, /* calls that the hook has booked in nodes */
    PP_FRAMED_MEAN_NS = -3 /* mean duration of timed calls, with older ones decaying; 0: none yet */
};
_Static_assert(PP_FRAMED_REST - PP_FRAMED_MEAN_NS + 1 == PP_FRAMED_SLOTS, "counters of a framed site");

/* How many calls there were. Correct even if a signal handler counts, or changes the due call, in between. */
uint64_t pp_calls(const uint64_t *counter);
/* Sets the next call that takes the hook, and keeps the number of calls. */
void pp_calls_due(uint64_t *counter, uint64_t call);

/* A call took the hook. It represents `calls`: itself and those since the last one that did. frame: its activation, or
 * null if it is not timed. Decides which call is timed next. */
void pp_pace(struct pp_thread *thread, uint64_t *counter, uint64_t calls, struct pp_frame *frame);
/* A timed call of a function has ended. */
void pp_pace_note(const struct pp_private *p, const struct pp_frame *frame, uint64_t wall_ns);

#endif
