/* SPDX-License-Identifier: MIT */
/* peak.c: the most heap that a thread holds while a stage is open, and the four sums of its account. account.h says
 * what is stored. It must not know how blocks are booked.
 *
 * When a stage opens, most_held is saved in the stage's frame and restarts. So the peak of a stage is the largest of
 * most_held and of what was saved in frames that were opened later. */
#include "memory/peak.h"
#include "memory/account.h"
#include "memory/heap.h"
#include "memory/heapsample.h"
#include "probe/frame.h"
#include "thread/thread.h"

void pp_heap_sums(const struct pp_heap_account *account, uint64_t sums[4])
{
    /* With samples what was asked for is known, and what is held is estimated. The rest was given back. */
    uint64_t held = account_held(account),
             asked = pp_heap_is_sampled ? account->asked_bytes : held + account->free_bytes;
    sums[PP_HEAP_ALLOC_BYTES] = asked;
    sums[PP_HEAP_ALLOC_BLOCKS] = account->alloc_blocks;
    sums[PP_HEAP_FREE_BYTES] = asked - held;
    sums[PP_HEAP_FREE_BLOCKS] = account->free_blocks;
}

static uint64_t inherited; /* by a fork's child */

static uint64_t calls_sum(void)
{
    uint64_t sum = 0;
    for (uint32_t id = 1; id <= pp_thread_count(); id++) {
        struct pp_thread *thread = pp_thread_at(id);
        sum += thread ? heap_account(thread)->alloc_blocks + heap_account(thread)->free_blocks : 0;
    }
    return sum;
}

uint64_t pp_heap_calls(void)
{
    pp_heapsample_settle((struct pp_thread *)(uintptr_t)pp_tls()->thread);
    return calls_sum() - inherited;
}
void pp_heap_calls_restart(struct pp_thread *self)
{
    pp_heapsample_settle(self); /* what the parent did not */
    pp_run.header->moves = 0;
    inherited = calls_sum();
}

static int64_t higher(uint64_t a, uint64_t b) { return (int64_t)a > (int64_t)b ? (int64_t)a : (int64_t)b; }

static void outer_stage_set(struct pp_frame *frame, struct pp_frame *outer)
{
    frame->outer_stage_frame = (uint64_t)(uintptr_t)outer;
}
static uint64_t *saved_peak(struct pp_frame *frame) { return &frame->metric[PP_METRIC_PEAK_BYTES]; }

/* Whether `frame` encloses `top`. Stages that have ended are unlinked on the way, so each is passed once. */
static bool encloses(const struct pp_frame *frame, struct pp_frame *top)
{
    for (struct pp_frame *f = top; f && f != frame; f = pp_frame_outer_stage(f)) {
        for (struct pp_frame *o; (o = pp_frame_outer_stage(f)) && o != frame && !o->start_ns;)
            outer_stage_set(f, pp_frame_outer_stage(o));
        if (pp_frame_outer_stage(f) == frame)
            return true;
    }
    return false;
}

/* Regions may end in any order, so stages that were opened later may still be open. */
static void peak_close(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values)
{
    struct pp_heap_account *account = heap_account(thread);
    uint64_t held_at_entry = frame->metric[PP_METRIC_ALLOC_BYTES] - frame->metric[PP_METRIC_FREE_BYTES];
    int64_t most = (int64_t)account->most_held;
    struct pp_frame *next = NULL; /* the stage that was opened after this one, if it is open */
    struct pp_frame *top = pp_private(thread)->stage_top;
    if (top == pp_frame_outer_stage(frame))
        top = frame; /* the frame was the innermost and is unlinked already: recursions are deep */
    if (encloses(frame, top))
        for (struct pp_frame *f = top; f != frame; f = pp_frame_outer_stage(f))
            if (f->start_ns) { /* a stage that has ended passed its saved peak to the next one */
                most = higher((uint64_t)most, *saved_peak(f));
                next = f;
            }
    if (next) { /* what it saved now also covers the time since this stage's entry */
        *saved_peak(next) = (uint64_t)higher(*saved_peak(frame), *saved_peak(next));
    } else {
        int64_t high = higher(*saved_peak(frame), account->most_held);
        account_raise(account, (uint64_t)high - account->most_held);
    }
    values[PP_METRIC_PEAK_BYTES] = (uint64_t)higher((uint64_t)most - held_at_entry, 0);
}

void pp_peak_border(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values, bool closes)
{
    struct pp_heap_account *account = heap_account(thread);
    if ((int64_t)account->distance < 0)
        account_raise(account, 0 - account->distance);
    if (closes) {
        peak_close(thread, frame, values);
        return;
    }
    *saved_peak(frame) = account->most_held;
    account_raise(account, 0 - account->distance); /* most_held becomes what is held now */
}
