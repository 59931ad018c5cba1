/* SPDX-License-Identifier: MIT */
/* walk.c: see walk.h. */
#include "stack/walk.h"
#include "stack/lastwalk.h"
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
    /* The kernel puts the bytes of AT_RANDOM above all frames. Finding them reads memory that nobody else reads. */
    static _Atomic uint64_t known;
    uint64_t top = 0;
    if (thread && pp_private(thread)->tid == pp_run.header->pid &&
        !(top = atomic_load_explicit(&known, memory_order_relaxed)))
        atomic_store_explicit(&known, top = getauxval(AT_RANDOM) & ~UINT64_C(7), memory_order_relaxed);
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

/* The last walk began its path where this one does, and all calls of the path still stand. `behind`: where the walk is,
 * counted from where the path begins. */
static bool path_is_known(struct pp_walk *walk, const struct pp_lastwalk *last, uint32_t behind)
{
    if (!last->path || behind > 1 || last->pid != pp_run.header->pid ||
        last->found != (int32_t)last->at - (int32_t)behind)
        return false;
    walk->path = last->path;
    walk->end = (enum pp_path_end)last->end;
    walk->trail = NULL;
    return true;
}

void pp_walk_calls(struct pp_walk *walk, struct pp_unwind *unwind, uint64_t *kept, uint64_t *kept_frames)
{
    struct pp_lastwalk *last = kept_frames ? pp_lastwalk_begin(kept_frames) : NULL;
    struct pp_image image = { 0 }, first = { 0 };
    bool first_known = false, stands = false;
    unsigned depth = 0, found_depth = 0;
    walk->end = PP_PATH_CUT;
    for (unsigned most = FRAMES;; depth++) {
        uint64_t place = unwind_place(unwind);
        bool known = place - image.low < image.high - image.low || pp_image_find(place, &image),
             own = known && pp_own_code(&image, place), meets = false;
        if (last && !stands && unwind->returned)
            stands = meets = pp_lastwalk_meet(last, unwind, known && depth < most ? image.mapping : 0);
        if (depth == most)
            break;
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
            found_depth = depth;
            meets = stands;
        }
        if (meets && walk->found && path_is_known(walk, last, depth - found_depth))
            return;
        if (stands && pp_lastwalk_next(last, unwind))
            continue;
        if (!pp_unwind_step(unwind, image.frames, image.mapping)) {
            walk->end = unwind->outermost ? PP_PATH_WHOLE : PP_PATH_BLIND;
            break;
        }
        if (last)
            pp_lastwalk_step(last, unwind);
    }
    if (last) {
        pp_lastwalk_end(last, unwind);
        last->path = 0;
        last->found = (int32_t)last->at - (int32_t)(depth - found_depth);
        last->end = walk->end;
        walk->last = walk->end == PP_PATH_BLIND || last->further ? NULL : last;
    }
    if (!walk->found && first_known) { /* no instrumented code on the stack, or unwinding did not reach it */
        walk->address -= first.bias;
        walk->module = walk->library = first.id;
    }
}

uint32_t pp_walk_book(struct pp_walk *walk, struct pp_thread *thread, uint64_t weight)
{
    uint32_t path = walk->path ? walk->path : pp_trail_book(walk->trail, thread, walk->end, weight);
    if (walk->last && !walk->with_first) {
        walk->last->path = path;
        walk->last->pid = pp_run.header->pid;
    }
    return path;
}
