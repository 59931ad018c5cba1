/* SPDX-License-Identifier: MIT */
/* lastwalk.h: the frames that a thread's last walk met, so that those that still stand are not unwound again. A frame
 * still stands if it is at the same address with the same return address, and if every word that unwinding would read
 * from there outwards is as it was. Each of these words is read and compared. It must not know what a path is. */
#ifndef PP_LASTWALK_H
#define PP_LASTWALK_H

#include "rt.h"
#include "stack/unwind.h"

#define PP_LASTWALK_FRAMES 200 /* what is further out than this is unwound each time */

/* A frame, and how the walk went on from there. */
struct pp_lastwalk_frame {
    uint64_t stack, pc;                 /* its stack pointer and return address: of a call that is not over */
    uint64_t slot;                      /* address of the word that held pc */
    uint64_t base_at, base_value;       /* as in struct pp_unwind */
    uint32_t base, mapping;             /* of struct pp_image; 0: not known */
};
struct pp_lastwalk {
    /* Those of the last walk, from frame[first] on, innermost first. What is used of all this lies close together,
     * because it is cold when a sample comes. */
    struct pp_lastwalk_frame frame[PP_LASTWALK_FRAMES];
    uint64_t saved_at[PP_UNWIND_SAVED]; /* as in struct pp_unwind, when it was at the last frame */
    uint64_t zero_at;                   /* the word that said that the last frame has no caller; 0: it was no word */
    uint32_t first, fresh_count, cursor;
    uint32_t at;                        /* after pp_lastwalk_meet returned true: index of the frame where the walk is */
    uint32_t further;                   /* frames that were unwound behind the last one */
    bool closed;                        /* no frame is added any more */
    bool barred;                        /* because a step behind the last one read more than is kept here */
    uint64_t low;                       /* stack pointer of the first frame that still stands */
    /* For walk.c: the path of the last walk, 0 for none; where it began, and how it ended. */
    uint32_t path, pid, end;
    int32_t found;
    struct pp_lastwalk_frame fresh[PP_LASTWALK_FRAMES]; /* those that this walk unwound */
};

/* Begins a walk. `kept` is a word of the block where the frames are kept, 0 at first. Null: no memory. */
struct pp_lastwalk *pp_lastwalk_begin(uint64_t *kept);
/* The walk is at the frame of a call, in the image of this number, 0 for none. True: this frame and all further ones up
 * to the last that is known still stand. */
bool pp_lastwalk_meet(struct pp_lastwalk *last, struct pp_unwind *unwind, uint32_t mapping);
/* Goes to the next frame that still stands. False: there is none, and `unwind` is ready for a step. */
static inline bool pp_lastwalk_next(struct pp_lastwalk *last, struct pp_unwind *unwind)
{
    if (last->at + 1 >= PP_LASTWALK_FRAMES)
        return false;
    struct pp_lastwalk_frame *f = &last->frame[++last->at];
    unwind->pc = f->pc;
    unwind->reg[PP_UNWIND_STACK] = f->stack;
    if (last->at + 1 == PP_LASTWALK_FRAMES)
        pp_unwind_reload(unwind, last->saved_at, last->low);
    return true;
}
/* The walk unwound one frame: `unwind` is at the caller. */
void pp_lastwalk_step(struct pp_lastwalk *last, const struct pp_unwind *unwind);
/* The walk ends where `unwind` is. */
void pp_lastwalk_end(struct pp_lastwalk *last, const struct pp_unwind *unwind);

#endif
