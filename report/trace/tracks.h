/* SPDX-License-Identifier: MIT */
/* tracks.h: what formats of traces draw: spans of threads, and calls beside one another, as wide as they cost. It must
 * not know a format. */
#ifndef PROFPLUG_TRACKS_H
#define PROFPLUG_TRACKS_H

#include "model/model.h"

/* By span: its lane among those of its thread; in a lane each span is wholly inside or outside of each other one.
 * MODEL_NONE: it is not looked at. Free it. */
uint32_t *track_lanes(const struct model *model);
/* The stage, "iteration of LOOP", or the call that waited. */
const char *track_span_name(struct arena *arena, const struct model *model, const struct model_span *span);
/* Where a wait was called: "FILE:LINE in FUNCTION"; empty if that is not known. */
const char *track_span_place(struct arena *arena, const struct model *model, const struct model_span *span);
const char *track_span_kind(const struct model_span *span);
/* Its number, or that of its thread if the row of the thread was lost: 0. */
uint64_t track_thread_id(const struct model *model, uint32_t thread);

/* A process of its own holds the calls. No process of Linux has this number. */
enum { TRACK_CALLS_PROCESS = 1 << 23 };
struct track_call {
    uint32_t frame, depth; /* depth: 1 is a thread's first function; callers stand before what they call */
    uint64_t start, cost;  /* whole units; a caller's part encloses those of what it calls */
    double own;            /* the part that is the function's own */
};
/* Functions by their callers, with each one's cost from what precedes it on. Free it. */
struct track_call *track_calls(const struct model *model, const struct stack_cost *cost, size_t *count);

/* The slices that are open on one track. Those that ended are taken off before the next begins, innermost first. */
struct track_slices {
    struct track_slice {
        uint64_t end;
        size_t which; /* span or call, by its index */
    } *open;
    size_t count, capacity;
};
void track_slice_begin(struct track_slices *slices, size_t which, uint64_t end);
bool track_slice_end(struct track_slices *slices, uint64_t until, struct track_slice *ended);

/* One line of warning, if the run has no timeline. */
void track_timeline_warn(const struct model *model, const char *format);

#endif
