/* SPDX-License-Identifier: MIT */
/* walk.h: walks a stack outwards, to the first instrumented code and to the calls that led there. It must not know what
 * they are used for. */
#ifndef PP_WALK_H
#define PP_WALK_H

#include "rt.h"
#include "stack/unwind.h"

struct pp_walk {
    bool with_first; /* input: the trail begins with the line itself, not with its caller */
    bool found;      /* there was instrumented code on the stack */
    enum pp_path_end end;
    uint64_t address; /* of the line, as in struct pp_sample; of the first frame if no line was found */
    uint32_t module, library;
    struct pp_trail *trail; /* null: no line was found, or there is no memory, or the path is known already */
    struct pp_lastwalk *last;
    uint32_t path; /* number of a path that is known already; 0: it has to be booked */
};

/* Tells the unwinder how far the stack is readable, which is known for the process's first thread. `thread` may be
 * null. */
void pp_walk_bound(struct pp_unwind *unwind, struct pp_thread *thread);
/* Goes outwards to what the innermost signal handler on the stack interrupted. Returns the stack pointer there. 0:
 * there is no handler. `unknown`: the stack could not be followed. */
uint64_t pp_walk_interrupted(struct pp_unwind *unwind, uint64_t unknown);
/* With all signals blocked, also when called from a handler. `kept`: see pp_trail_begin. `kept_frames`: see
 * pp_lastwalk_begin; null: all frames are unwound. */
void pp_walk_calls(struct pp_walk *walk, struct pp_unwind *unwind, uint64_t *kept, uint64_t *kept_frames);
/* Returns the number of the path that was found; see pp_trail_book. */
uint32_t pp_walk_book(struct pp_walk *walk, struct pp_thread *thread, uint64_t weight);

#endif
