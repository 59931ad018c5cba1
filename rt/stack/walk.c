/* SPDX-License-Identifier: MIT */
/* walk.c: see walk.h. */
#include "stack/walk.h"
#include "stack/modules.h"
#include "stack/path.h"
#include "stack/unwind.h"
#include "system/state.h"

#include <sys/auxv.h>

#define FRAMES 128                       /* callers looked at from within a library */
#define CALLERS 256                      /* and from the user's line outwards, with those that repeat themselves */
#define NEAR_BYTES (UINT64_C(1) << 20)   /* below the first thread's stack the kernel keeps that much free */

void pp_walk_bound(struct pp_unwind *unwind, struct pp_thread *thread)
{
    uint64_t top = thread && pp_private(thread)->tid == pp_run.header->pid ? getauxval(AT_RANDOM) & ~UINT64_C(7) : 0;        /* it lies above all frames */
    if (top - unwind->stack_low < NEAR_BYTES) unwind->stack_high = top;
}

void pp_walk_calls(struct pp_walk *walk, struct pp_unwind *unwind, uint64_t *kept)
{
    struct pp_image image = { 0 }, first = { 0 };
    bool first_known = false;
    walk->end = PP_PATH_CUT;
    for (unsigned depth = 0, most = FRAMES; depth < most; depth++) {
        uint64_t place = unwind_place(unwind);
        bool known = place - image.low < image.high - image.low || pp_image_find(place, &image), own = known && pp_own_code(&image, place);
        if (depth == 0) {
            walk->address = place;
            walk->busy = own;
            if (known) {
                first_known = true;
                first = image;
            }
        }
        if (!known) {
            walk->end = PP_PATH_BLIND;
            break;
        }
        if (walk->found && !own && !pp_trail_add(walk->trail, place - image.bias, image.id)) break;
        if (!walk->found && image.instrumented && !own) {
            walk->found = true;
            walk->address = place - image.bias;
            walk->module = image.id;
            /* In a library, or in this runtime: then `library` is what it was linked into. */
            if (depth > 0 && first_known) walk->library = first.id;
            walk->trail = pp_trail_begin(kept);
            if (!walk->trail) return;
            if (walk->with_first) pp_trail_add(walk->trail, walk->address, walk->module);
            most = depth + CALLERS;
        }
        if (!pp_unwind_step(unwind, image.frames, image.mapping)) {
            walk->end = unwind->outermost ? PP_PATH_WHOLE : PP_PATH_BLIND;
            break;
        }
    }
    if (!walk->found && first_known) {   /* no caller of ours on the stack, or none that could be reached */
        walk->address -= first.bias;
        walk->module = walk->library = first.id;
    }
}
