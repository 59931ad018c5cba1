/* SPDX-License-Identifier: MIT */
/* restart.c: what a fork does with each kind of extent: the column `fork` of extent.def. Statistics restart from zero,
 * and what they refer to stays. It must not know how the child's file is made. */
#include "process/restart.h"
#include "file/datafile.h"
#include "probe/frame.h"
#include "probe/stage.h"
#include "process/lifecycle.h"
#include "system/clock.h"
#include "system/state.h"
#include "thread/thread.h"
#include "thread/unfinished.h"
#include <profplug/abi/line.h>
#include <stddef.h>
#include <string.h>

struct restart {
    const struct pp_mapped *mapped;
    void *head, *rows;
    uint64_t rows_bytes;
    uint32_t self; /* block of the thread that forked, 0 for none */
};

static void restart_KEEP(const struct restart *r) { (void)r; }

static void restart_LEFT(const struct restart *r) { (void)r; }

static void restart_ZERO(const struct restart *r) { memset(r->rows, 0, r->rows_bytes); }

/* The tables that are marked EMPTY have `used` at the same place. */
_Static_assert(offsetof(struct pp_samples, used) == offsetof(struct pp_operations, used) &&
                   offsetof(struct pp_samples, used) == offsetof(struct pp_blocked_table, used),
               "restart_EMPTY knows where `used` is");

static void restart_EMPTY(const struct restart *r)
{
    struct pp_samples *head = r->head;
    restart_ZERO(r);
    head->used = 0;
}

static void restart_THREADS(const struct restart *r)
{
    struct pp_thread_rows *head = r->head;
    restart_ZERO(r);
    head->count = 0;
}

/* The calls that had begun are the parent's, also that of the thread that forked in a handler. */
static void restart_THREAD(const struct restart *r) { pp_unfinished_clear(r->head); }

static void restart_PATHS(const struct restart *r)
{
    struct pp_paths *head = r->head;
    head->used = 0;
}

static void restart_CALLSITES(const struct restart *r)
{
    struct pp_callsites *head = r->head;
    head->peak_turn = head->peak_bytes = 0;
}

static void restart_ANSWERS(const struct restart *r)
{
    struct pp_answers *head = r->head;
    memset(head->histogram, 0, sizeof head->histogram);
}

/* It begins anew, in the same place. */
static void restart_TIMELINE(const struct restart *r)
{
    struct pp_timeline *head = r->head;
    restart_ZERO(r);
    memset(&head->seen, 0, sizeof *head - offsetof(struct pp_timeline, seen));
}

static void restart_NODES(const struct restart *r)
{
    const struct pp_nodes *head = r->head;
    struct pp_node *n = r->rows;
    for (uint32_t i = 0; i < head->used; i++, n++) {
        n->calls = n->timed_calls = n->timed_ns = n->self_ns = n->outer_timed = 0;
        n->function_ns = 0;
        if (r->mapped->thread != r->self)
            n->active = n->function_open = 0;
        if (*pp_node_flags(n) & PP_NODE_STAGE)
            n->calls = n->active; /* an open stage continues as the child's own */
        else
            n->stage_or_timed_ns = 0;
    }
}

static void restart_STAGES(const struct restart *r)
{
    const struct pp_stages *head = r->head;
    struct pp_stage *s = r->rows;
    for (uint32_t i = 0; i < head->used; i++, s++) {
        struct pp_stage fresh = { .key = s->key,
                                  .kind = s->kind,
                                  .parent = s->parent,
                                  .number = s->number,
                                  .min_ns = UINT64_MAX,
                                  .trips_min = UINT64_MAX,
                                  .tallies = s->tallies };
        fresh.active = r->mapped->thread == r->self ? s->active : 0;
        fresh.calls = fresh.active;
        *s = fresh;
    }
}

/* Frames of threads that the child does not have are closed. */
static void restart_FRAMES(const struct restart *r)
{
    const struct pp_frames *head = r->head;
    struct pp_frame *f = r->rows;
    if (r->mapped->thread == r->self)
        return;
    for (uint32_t i = 0; i < head->capacity; i++, f++) {
        f->start_ns = 0;
        f->flags &= PP_FRAME_GENERATION;
        f->stack_address = UINT64_MAX;
    }
}

static const struct {
    uint32_t head_bytes;
    void (*restart)(const struct restart *r);
} kinds[PP_EXTENT_KIND_COUNT] = {
    [PP_EXTENT_NONE] = { 0, restart_KEEP },
#define PP_EXTENT(kind, head, row, owner, many, fork) [PP_EXTENT_##kind] = { sizeof(head), restart_##fork },
#include <profplug/abi/extent.def>
};

static void extent_restart(const struct pp_mapped *mapped, void *context)
{
    const struct pp_thread *self = context;
    char *head = mapped->extent.address;
    uint32_t head_bytes = kinds[mapped->kind].head_bytes;
    struct restart r = { mapped, head, head + head_bytes, mapped->extent.size - head_bytes, self ? self->id : 0 };
    kinds[mapped->kind].restart(&r);
}

void pp_threads_restart(struct pp_thread *self)
{
    pp_threads_fork_child();
    pp_extent_each(extent_restart, self);
    pp_threads_row_child();
    if (!self)
        return;
    struct pp_private *p = pp_private(self);
    p->events_timed = p->self_ns = p->calls_ns = 0;
    memset(p->given_up, 0, sizeof p->given_up);
    p->next_heartbeat_ns = pp_run.header->start_ns + PP_HEARTBEAT_NS;
}

void pp_frames_restart(struct pp_thread *self)
{
    uint64_t now = pp_run.header->start_ns;
    for (struct pp_frame *f = self ? pp_private(self)->top : NULL; f; f = pp_frame_below(f)) {
        if (!f->start_ns)
            continue;
        f->start_ns = now;
        f->child_ns = f->stage_child_ns = 0;
        f->flags |= PP_FRAME_INHERITED;
        if (*pp_node_flags((struct pp_node *)(uintptr_t)f->node) & PP_NODE_STAGE) {
            struct pp_stage *s = pp_node_stage((struct pp_node *)(uintptr_t)f->node);
            f->index = 0;
            f->flags &= ~PP_FRAME_SAMPLED;
            pp_stage_open(self, f, s);
        }
    }
}
