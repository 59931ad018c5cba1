/* SPDX-License-Identifier: MIT */
/* walk.c: see walk.h. */
#include "stack/walk.h"
#include "stack/modules.h"
#include "stack/path.h"
#include "stack/unwind.h"
#include "system/state.h"

#include <sys/auxv.h>

#define FRAMES 128                     /* the most frames until instrumented code is found */
#define CALLERS 256                    /* the most frames from there outwards, repeated calls included */
#define NEAR_BYTES (UINT64_C(1) << 20) /* the kernel leaves a gap of this size below the first thread's stack */

void pp_walk_bound(struct pp_unwind *unwind, struct pp_thread *thread)
{
    /* The kernel puts the bytes of AT_RANDOM above all frames. */
    uint64_t top = thread && pp_private(thread)->tid == pp_run.header->pid ? getauxval(AT_RANDOM) & ~UINT64_C(7) : 0;
    if (top - unwind->stack_low < NEAR_BYTES)
        unwind->stack_high = top;
}

uint64_t pp_walk_interrupted(struct pp_unwind *unwind, uint64_t unknown)
{
    struct pp_image image = { 0 };
    for (unsigned depth = 0; depth < FRAMES + CALLERS; depth++) {
        uint64_t place = unwind_place(unwind);
        if (place - image.low >= image.high - image.low && !pp_image_find(place, &image))
            return unknown;
        if (!pp_unwind_step(unwind, image.frames, image.mapping))
            return unwind->outermost ? 0 : unknown;
        if (!unwind->returned)
            return unwind->reg[PP_UNWIND_STACK];
    }
    return unknown;
}

void pp_walk_calls(struct pp_walk *walk, struct pp_unwind *unwind, uint64_t *kept)
{
    struct pp_image image = { 0 }, first = { 0 };
    bool first_known = false;
    walk->end = PP_PATH_CUT;
    for (unsigned depth = 0, most = FRAMES; depth < most; depth++) {
        uint64_t place = unwind_place(unwind);
        bool known = place - image.low < image.high - image.low || pp_image_find(place, &image),
             own = known && pp_own_code(&image, place);
        if (depth == 0) {
            walk->address = place;
            if (known) {
                first_known = true;
                first = image;
            }
        }
        if (!known) {
            walk->end = PP_PATH_BLIND;
            break;
        }
        if (walk->found && !own && !pp_trail_add(walk->trail, place - image.bias, image.id))
            break;
        if (!walk->found && image.instrumented && !own) {
            walk->found = true;
            walk->address = place - image.bias;
            walk->module = image.id;
            /* The first frame was in a library, or in the runtime: then `library` is what that is linked into. */
            if (depth > 0 && first_known)
                walk->library = first.id;
            walk->trail = pp_trail_begin(kept);
            if (!walk->trail)
                return;
            if (walk->with_first)
                pp_trail_add(walk->trail, walk->address, walk->module);
            most = depth + CALLERS;
        }
        if (!pp_unwind_step(unwind, image.frames, image.mapping)) {
            walk->end = unwind->outermost ? PP_PATH_WHOLE : PP_PATH_BLIND;
            break;
        }
    }
    if (!walk->found && first_known) { /* no instrumented code on the stack, or unwinding did not reach it */
        walk->address -= first.bias;
        walk->module = walk->library = first.id;
    }
}
