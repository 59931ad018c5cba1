/* SPDX-License-Identifier: MIT */
/* lastwalk.c: see lastwalk.h. Where unwinding goes from a frame follows from the code there, from the stack pointer,
 * and from the words that the steps read: return addresses, and saved registers that a later step begins with. So a
 * frame that is found again needs only these words compared, one or two for each call. A step by more than that, as
 * through a signal frame, bars the way: what is behind it is unwound each time. */
#include "stack/lastwalk.h"
#include "file/memory.h"
#include "stack/modules.h"

#include <string.h>

#define FRAMES PP_LASTWALK_FRAMES
#define FURTHER 8u /* unwinding so many frames behind those that are known is worth learning them all again */

struct pp_lastwalk *pp_lastwalk_begin(uint64_t *kept)
{
    struct pp_lastwalk *last = (struct pp_lastwalk *)(uintptr_t)*kept;
    if (!last) {
        if (!(last = pp_memory(sizeof *last)))
            return NULL;
        *kept = (uint64_t)(uintptr_t)last;
        last->first = FRAMES;
    }
    last->cursor = last->first;
    last->fresh_count = last->further = 0;
    last->closed = last->barred = false;
    return last;
}

static bool word_is(struct pp_unwind *unwind, uint64_t address, uint64_t value)
{
    uint64_t now;
    return pp_unwind_word(unwind, address, &now) && now == value;
}

/* Is the register that the step from this frame begins with as it was? `low`: stack pointer of the first frame that is
 * compared. Below it the last walk had other frames. */
static bool base_stands(struct pp_lastwalk_frame *f, struct pp_unwind *unwind, uint64_t low)
{
    if (f->base_at >= low)
        return word_is(unwind, f->base_at, f->base_value);
    f->base_at = unwind->saved_at[f->base - 1];
    return pp_unwind_holds(unwind, f->base, f->base_value);
}

/* Compares all that unwinding from the frame at index i would read. */
static bool stands(struct pp_lastwalk *last, struct pp_unwind *unwind, uint32_t i, uint32_t mapping)
{
    struct pp_lastwalk_frame *f = &last->frame[i], *end = &last->frame[FRAMES];
    struct pp_image image;
    for (; ++f < end;) {
        if (PP_UNLIKELY(f[-1].base) && !base_stands(f - 1, unwind, unwind->reg[PP_UNWIND_STACK]))
            break;
        bool readable = f->slot >= unwind->stack_low && f->slot + 8 <= unwind->stack_high;
        if (PP_LIKELY(readable) ? *(const uint64_t *)(uintptr_t)f->slot != f->pc : !word_is(unwind, f->slot, f->pc))
            break;
        if (f->mapping != mapping && f->mapping) {
            if (!pp_image_find(f->pc - 1, &image) || image.mapping != f->mapping)
                break;
            mapping = f->mapping;
        }
    }
    /* Where they differ, frames further in would differ as well: the next to be compared is the one behind. */
    last->cursor = (uint32_t)(f - last->frame) + 1;
    return f >= end && (!last->zero_at || word_is(unwind, last->zero_at, 0));
}

/* Puts the new frames before the one at this index. */
static void join(struct pp_lastwalk *last, uint32_t at)
{
    uint32_t count = last->fresh_count < at ? last->fresh_count : at;
    memcpy(&last->frame[at - count], &last->fresh[last->fresh_count - count], count * sizeof *last->frame);
    last->first = at - count;
}

bool pp_lastwalk_meet(struct pp_lastwalk *last, struct pp_unwind *unwind, uint32_t mapping)
{
    uint64_t stack = unwind->reg[PP_UNWIND_STACK];
    uint32_t i = last->cursor;
    if (last->closed)
        return false;
    while (i < FRAMES && last->frame[i].stack < stack)
        i++;
    last->cursor = i;
    if (i < FRAMES && last->frame[i].stack == stack && last->frame[i].pc == unwind->pc &&
        last->frame[i].mapping == mapping && stands(last, unwind, i, mapping)) {
        for (unsigned k = 0; k < PP_UNWIND_SAVED; k++)
            if (last->saved_at[k] < stack)
                last->saved_at[k] = unwind->saved_at[k];
        join(last, i);
        last->at = i;
        last->low = stack;
        return last->closed = true;
    }
    if (last->fresh_count == FRAMES) { /* nothing is kept of so deep a stack */
        last->closed = last->barred = true;
        last->first = FRAMES;
        last->further = 1;
        return false;
    }
    last->fresh[last->fresh_count++] =
        (struct pp_lastwalk_frame){ .stack = stack, .pc = unwind->pc, .slot = unwind->slot, .mapping = mapping };
    return false;
}

/* The frames of a walk that met none that still stood. */
static void take_over(struct pp_lastwalk *last, const struct pp_unwind *unwind)
{
    join(last, FRAMES);
    memcpy(last->saved_at, unwind->saved_at, sizeof last->saved_at);
    last->at = FRAMES - 1;
    last->zero_at = 0;
    last->closed = true;
}

void pp_lastwalk_step(struct pp_lastwalk *last, const struct pp_unwind *unwind)
{
    if (last->closed) {
        last->further++;
    } else if (last->fresh_count && !unwind->slot) {
        take_over(last, unwind);
        last->barred = true;
        last->further = 1;
    } else if (last->fresh_count) {
        struct pp_lastwalk_frame *f = &last->fresh[last->fresh_count - 1];
        f->base = (uint32_t)unwind->base;
        f->base_value = unwind->base_value;
        f->base_at = unwind->base_at;
    }
}

void pp_lastwalk_end(struct pp_lastwalk *last, const struct pp_unwind *unwind)
{
    if (!last->closed) {
        take_over(last, unwind);
        if (unwind->outermost)
            last->zero_at = unwind->slot;
    } else if (last->further > FURTHER && !last->barred) {
        last->first = FRAMES;
    }
}
