/* SPDX-License-Identifier: MIT */
/* walk.h: from a place in the code outwards: the user's line, and the calls that led to it. Must not know what they are wanted for. */
#ifndef PP_WALK_H
#define PP_WALK_H

#include "rt.h"
#include "stack/unwind.h"

struct pp_walk {
    bool with_first;                     /* the trail has the user's line, too, not its callers alone */
    bool found;                          /* a line of the user's */
    bool busy;                           /* the runtime itself was at work */
    enum pp_path_end end;
    uint64_t address;                    /* of the line, as in struct pp_sample; where none was found that of the beginning */
    uint32_t module, library;
    struct pp_trail *trail;              /* null: none was found, or no memory */
};

/* Of the first thread's stack it is known that it is readable. Null: of no thread that is known. */
void pp_walk_bound(struct pp_unwind *unwind, struct pp_thread *thread);
/* With all signals held off, or in a handler that has them so; `kept` as in path.h. */
void pp_walk_calls(struct pp_walk *walk, struct pp_unwind *unwind, uint64_t *kept);

#endif
