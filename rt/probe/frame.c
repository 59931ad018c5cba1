/* SPDX-License-Identifier: MIT */
/* frame.c: the open timed activations of a thread, as a stack that heals itself. It must not know how code came to open
 * or leave them.
 *
 * Control can leave functions without a probe (longjmp, exceptions through code without probes). So each frame has the
 * stack pointer of its activation. If that is deeper than the code that runs now, the activation is gone, and its frame
 * is closed late. This holds on one stack only. Frames of coroutines, and of handlers with their own stack, are closed
 * by their own probes alone. A frame that is closed below others stays as a gap until those above it are closed. */
#define _GNU_SOURCE
#include "probe/frame.h"
#include "file/datafile.h"
#include "metric/cpu.h"
#include "probe/calltree.h"
#include "probe/pace.h"
#include "probe/stage.h"
#include "process/lifecycle.h"
#include "system/clock.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/thread.h"
#include "thread/unfinished.h"
#include <errno.h>
#include <string.h>

#define FRAMES_FIRST 8u       /* in the first chunk: a page */
#define FRAMES_MOST 65536u    /* in one chunk */
#define FRAMES_LIMIT 2000000u /* open at once in a thread */
#define NEAR_BYTES 65536u     /* on unknown stacks, frames this near count as on the same one */
#define TURN_NS 1000000u      /* a thread that lost its CPU has it again after so long at the earliest */
#define GAP 8u                /* in pp_frame.flags: closed, with open frames above it */

static struct pp_frame *chunk_frame(struct pp_frames *c) { return (struct pp_frame *)(c + 1); }

static __attribute__((cold)) void chunk_clear(struct pp_frames *c)
{
    memset(c + 1, 0, c->capacity * sizeof(struct pp_frame));
    for (uint32_t i = 0; i < c->capacity; i++) {
        chunk_frame(c)[i].chunk = (uint64_t)(uintptr_t)c;
        chunk_frame(c)[i].stack_address = UINT64_MAX;
    }
}

static __attribute__((cold)) struct pp_frames *chunk_add(struct pp_thread *thread, struct pp_frames *last,
                                                         uint32_t wanted)
{
    struct pp_extent extent;
    if (!pp_extent_claim(&extent, sizeof(struct pp_frames) + (uint64_t)wanted * sizeof(struct pp_frame)))
        return NULL;
    struct pp_frames *c = extent.address;
    c->first = last ? last->first + last->capacity : 0;
    c->capacity = (uint32_t)((extent.size - sizeof *c) / sizeof(struct pp_frame));
    c->thread = (uint64_t)(uintptr_t)thread;
    c->previous = (uint64_t)(uintptr_t)last;
    chunk_clear(c);
    if (last)
        last->next = (uint64_t)(uintptr_t)c;
    pp_extent_publish(&extent, PP_EXTENT_FRAMES, thread->id);
    return c;
}

__attribute__((cold)) void pp_frames_adopt(struct pp_thread *thread, struct pp_frames *chunk)
{
    struct pp_private *p = pp_private(thread);
    chunk->next = 0;
    chunk_clear(chunk);
    p->frames = chunk;
    p->top = p->stage_top = NULL;
}

__attribute__((cold)) bool pp_frames_make(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    p->frames = chunk_add(thread, NULL, FRAMES_FIRST);
    return p->frames;
}

struct pp_frame *pp_frame_below(struct pp_frame *f)
{
    struct pp_frames *c = pp_frame_chunk(f);
    if (f != chunk_frame(c))
        return f - 1;
    c = (struct pp_frames *)(uintptr_t)c->previous;
    return c ? chunk_frame(c) + c->capacity - 1 : NULL;
}

/* Called before signals are blocked. If the stack is about to end, the program gets its SIGSEGV here and can recover.
 * A SIGSEGV that is blocked kills the program. */
static __attribute__((noinline, cold)) void stack_touch(void)
{
    char room[2048]; /* more than it takes to make a chunk */
    *(volatile char *)room = 0;
}

static struct pp_frame *frame_above(struct pp_thread *thread, struct pp_frame *top)
{
    if (!top)
        return chunk_frame(pp_private(thread)->frames);
    struct pp_frames *c = pp_frame_chunk(top);
    if (top + 1 < chunk_frame(c) + c->capacity)
        return top + 1;
    if (!c->next) {
        uint32_t wanted = c->capacity * 2 < FRAMES_MOST ? c->capacity * 2 : FRAMES_MOST;
        int saved_errno = errno;
        sigset_t saved;
        stack_touch();
        pp_signals_block(&saved);
        if (!c->next && c->first + c->capacity < FRAMES_LIMIT)
            chunk_add(thread, c, wanted);
        pp_signals_restore(&saved);
        errno = saved_errno;
    }
    c = (struct pp_frames *)(uintptr_t)c->next;
    return c ? chunk_frame(c) : NULL;
}

/* Probes of timed calls look once in a millisecond, so the innermost activation lost what is found now. If it has not
 * lasted that long, its callers lost the rest. An activation that is being opened has no start yet, and no node. */
static __attribute__((cold, noinline)) void off_find(struct pp_thread *thread, struct pp_frame *f, uint64_t now_ns,
                                                     bool ticked)
{
    uint64_t off_ns = pp_cpu_off(thread, now_ns, ticked);
    if (pp_private(thread)->off.looked_ns < now_ns)
        pp_private(thread)->off.looked_ns = now_ns;
    for (; f && off_ns; f = pp_frame_below(f)) {
        uint64_t start_ns = f->start_ns, lasted_ns = start_ns && now_ns > start_ns ? now_ns - start_ns : 0,
                 part_ns = off_ns < lasted_ns ? off_ns : lasted_ns;
        if (part_ns)
            ((struct pp_node *)(uintptr_t)f->node)->off_ns += part_ns;
        off_ns -= part_ns;
    }
}

__attribute__((cold)) void pp_frames_ticked(struct pp_thread *thread)
{
    off_find(thread, pp_private(thread)->top, pp_clock_ns(), true);
}

/* Whether the thread may have lost its CPU since that was looked for, or a signal looked after now_ns was read. */
static bool off_is_due(const struct pp_private *p, uint64_t now_ns)
{
    uint64_t looked_ns = *(const volatile uint64_t *)&p->off.looked_ns;
    return looked_ns && now_ns - looked_ns >= TURN_NS;
}

struct pp_frame *pp_frame_push(struct pp_thread *thread, struct pp_node *node, struct pp_node *outer,
                               uint64_t stack_address, uint32_t flags)
{
    struct pp_private *p = pp_private(thread);
    struct pp_frame *f = frame_above(thread, p->top);
    if (PP_UNLIKELY(!f)) {
        pp_loss(PP_LOSS_FRAMES, 1);
        return NULL;
    }
    /* A signal handler may interrupt any store, and may leave by longjmp. The stack address is set before the slot is
     * taken, so that it can be healed, and again after, since activations of the handler may have used the slot. It
     * does not count as open until start_ns is set. */
    *(volatile uint64_t *)&f->stack_address = stack_address;
    *(volatile uint64_t *)&f->outer_node = (uint64_t)(uintptr_t)outer;
    *(struct pp_frame *volatile *)&p->top = f;
    atomic_signal_fence(memory_order_seq_cst);
    f->flags = ((f->flags & PP_FRAME_GENERATION) + (1u << 16)) | flags;
    f->stack_address = stack_address;
    f->node = (uint64_t)(uintptr_t)node;
    f->outer_node = (uint64_t)(uintptr_t)outer;
    f->node_number = node->number;
    f->child_ns = 0;
    f->stage_child_ns = 0;
    f->outer_stage = outer->stage;
    f->stage = 0;
    f->metric[PP_CALL_COUNTER] = 0;
    p->events_timed++;
    if (*pp_node_flags(node) & PP_NODE_STAGE) {
        struct pp_stage *s = pp_node_stage(node);
        f->stage = s->number;
        f->outer_stage_frame = (uint64_t)(uintptr_t)p->stage_top;
        f->index = s->calls++;
        p->stage_top = f;
        pp_stage_open(thread, f, s);
    }
    atomic_signal_fence(memory_order_seq_cst);
    uint64_t now = pp_clock_ns();
    if (PP_UNLIKELY(off_is_due(p, now))) {
        off_find(thread, pp_frame_below(f), now, false);
        now = pp_clock_ns();
    }
    *(volatile uint64_t *)&f->start_ns = now;
    atomic_signal_fence(memory_order_seq_cst);
    if (f->stage)
        pp_node_stage(node)->active++;
    node->active++;
    pp_node_first(node)->function_open++;
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile uint32_t *)&f->flags |= PP_FRAME_COUNTED;
    return f;
}

struct pp_frame *pp_frame_of(struct pp_thread *thread, uint64_t token)
{
    struct pp_frame *f = (struct pp_frame *)(uintptr_t)(token & UINT64_C(0x0000fffffffffffe));
    if (f->flags >> 16 != token >> 48 || !f->start_ns || pp_frame_chunk(f)->thread != (uint64_t)(uintptr_t)thread)
        return NULL;
    return f;
}

/* Pops the top frame `f`, and the gaps below it. `top` changes first: a handler that leaves by longjmp in between must
 * not leave a frame on top that has no stack address, since that could not be healed. */
static void trim(struct pp_private *p, struct pp_frame *f)
{
    while (f) {
        struct pp_frame *below = pp_frame_below(f);
        *(struct pp_frame *volatile *)&p->top = below;
        atomic_signal_fence(memory_order_seq_cst);
        f->flags &= PP_FRAME_GENERATION;
        f->stack_address = UINT64_MAX;
        f->start_ns = 0;
        f = below;
        if (f && !(f->flags & GAP))
            return;
    }
}

/* Takes a frame out of the counts of open activations. If a handler's longjmp interrupted its counting, the frames that
 * are open are counted anew. Otherwise an enclosing activation would seem outermost too early, and its time would be
 * booked twice. */
static void uncount(struct pp_private *p, struct pp_frame *f, struct pp_node *node, struct pp_stage *s)
{
    struct pp_node *first = pp_node_first(node);
    if (PP_LIKELY(f->flags & PP_FRAME_COUNTED)) {
        *(volatile uint32_t *)&f->flags &= ~PP_FRAME_COUNTED;
        atomic_signal_fence(memory_order_seq_cst);
        node->active--;
        first->function_open--;
        if (s)
            s->active--;
        return;
    }
    uint32_t of_node = 0, of_function = 0, of_stage = 0;
    for (struct pp_frame *other = p->top; other; other = pp_frame_below(other)) {
        if (other == f || !other->start_ns)
            continue;
        struct pp_node *n = (struct pp_node *)(uintptr_t)other->node;
        of_node += n == node;
        of_function += pp_node_first(n) == first;
        of_stage += s && other->stage == s->number;
    }
    node->active = of_node;
    first->function_open = of_function;
    if (s)
        s->active = of_stage;
}

/* Books a frame; it stays where it is. */
static void book(struct pp_thread *thread, struct pp_frame *f, uint64_t now)
{
    struct pp_private *p = pp_private(thread);
    if (!f->start_ns) { /* a handler left by longjmp before the frame was complete */
        if (p->stage_top == f)
            p->stage_top = pp_frame_outer_stage(f);
        return;
    }
    struct pp_node *node = (struct pp_node *)(uintptr_t)f->node;
    struct pp_node *first = pp_node_first(node);
    bool function = !(*pp_node_flags(node) & PP_NODE_STAGE);
    struct pp_stage *s = function ? NULL : pp_node_stage(node);
    uint64_t start = f->start_ns;
    struct pp_frame *below = pp_frame_below(f);
    while (below && !below->start_ns)
        below = pp_frame_below(below);
    if (PP_UNLIKELY(off_is_due(p, now)))
        off_find(thread, f, now, false);
    uncount(p, f, node, s);
    /* The frame counts as open up to here. If a handler leaves by longjmp later, what is not booked yet is lost, and
     * nothing is booked twice. */
    atomic_signal_fence(memory_order_seq_cst);
    if (PP_UNLIKELY(off_is_due(p, now))) /* a signal came, and took what was lost meanwhile for this frame's */
        now = pp_clock_ns();
    *(volatile uint64_t *)&f->start_ns = 0;
    atomic_signal_fence(memory_order_seq_cst);
    uint64_t wall = now > start ? now - start : 0;
    if (below)
        below->child_ns += wall;
    if (!function || !(f->flags & PP_FRAME_INHERITED)) {
        node->timed_calls++;
        node->self_ns += wall > f->child_ns ? wall - f->child_ns : 0;
        if (!node->active) {
            node->timed_ns += wall;
            node->outer_timed++;
        }
        if (!first->function_open)
            node->function_ns += wall;
    }
    if (function) {
        pp_pace_note(p, f, wall);
    } else {
        struct pp_frame *outer = pp_frame_outer_stage(f);
        while (outer && !outer->start_ns) /* a region that ended before this one: begin a, begin b, end a, end b */
            outer = pp_frame_outer_stage(outer);
        if (p->stage_top == f)
            p->stage_top = outer;
        if (outer)
            outer->stage_child_ns += wall;
        pp_stage_close(thread, f, s, start, wall);
    }
    if (now > p->next_heartbeat_ns)
        pp_heartbeat(thread, now);
}

static bool same_stack(struct pp_private *p, uint64_t upper, uint64_t lower)
{
    if (pp_thread_on_stack(p, upper, lower))
        return true;
    return !pp_thread_on_stack(p, upper, upper) && !pp_thread_on_stack(p, lower, lower) && upper - lower < NEAR_BYTES;
}

/* Closes the top frame late. */
static __attribute__((cold)) void drop(struct pp_thread *thread, struct pp_frame *f)
{
    if (!(f->flags & PP_FRAME_FLOATING) && pp_unfinished_any(thread))
        pp_unfinished_cut(thread, f->stack_address); /* at the node that made the calls */
    if (!(f->flags & GAP))
        thread->node = f->outer_node;
    if (f->start_ns)
        pp_loss(PP_LOSS_HEALED, 1);
    book(thread, f, pp_clock_ns());
    trim(pp_private(thread), f);
}

__attribute__((cold)) void pp_frames_heal(struct pp_thread *thread, uint64_t stack_address)
{
    struct pp_private *p = pp_private(thread);
    struct pp_frame *f;
    while (
        (f = p->top) && f->stack_address < stack_address &&
        (f->flags & GAP || (!(f->flags & PP_FRAME_FLOATING) && pp_thread_on_stack(p, stack_address, f->stack_address))))
        drop(thread, f);
}

__attribute__((cold)) void pp_frames_cut(struct pp_thread *thread, struct pp_frame *keep, uint64_t stack_address)
{
    struct pp_private *p = pp_private(thread);
    struct pp_frame *f;
    while ((f = p->top) && f != keep && f->stack_address < stack_address &&
           same_stack(p, stack_address, f->stack_address))
        drop(thread, f);
}

/* Frames above one that is left had no probe when they were left. Those of other stacks stay open. Returns whether
 * some do. */
static __attribute__((noinline, cold)) bool above_close(struct pp_thread *thread, struct pp_frame *frame, uint64_t now)
{
    struct pp_private *p = pp_private(thread);
    bool kept = false, function = !(*pp_node_flags((struct pp_node *)(uintptr_t)frame->node) & PP_NODE_STAGE);
    for (struct pp_frame *f = p->top, *below; f && f != frame; f = below) {
        below = pp_frame_below(f);
        if (f->flags & GAP)
            continue;
        if (f->start_ns && f->flags & PP_FRAME_FLOATING && function) { /* a region that another function will end */
            kept = true;
            continue;
        }
        if (f->start_ns && !(f->flags & PP_FRAME_FLOATING) && f->stack_address != frame->stack_address &&
            (f->stack_address > frame->stack_address || !same_stack(p, frame->stack_address, f->stack_address))) {
            kept = true;
            continue;
        }
        if (f->start_ns)
            pp_loss(f->flags & PP_FRAME_FLOATING ? PP_LOSS_REGIONS : PP_LOSS_HEALED, 1);
        book(thread, f, now);
        if (kept)
            f->flags |= GAP;
        else
            trim(p, f);
    }
    return kept;
}

void pp_frame_leave(struct pp_thread *thread, struct pp_frame *frame)
{
    struct pp_private *p = pp_private(thread);
    uint64_t now = pp_clock_ns();
    uint64_t outer = frame->outer_node;
    bool kept = false;
    if (PP_UNLIKELY(frame->flags & PP_FRAME_FLOATING && p->top != frame)) {
        book(thread, frame, now); /* frames above it stay open, and restore the node that they came from */
        frame->flags |= GAP;
        return;
    }
    if (PP_UNLIKELY(p->top != frame))
        kept = above_close(thread, frame, now);
    book(thread, frame, now);
    if (PP_UNLIKELY(kept))
        frame->flags |= GAP;
    else
        trim(p, frame);
    thread->node = outer;
    if (PP_UNLIKELY(kept))
        pp_frames_rehome(thread);
}

static bool is_on_path(struct pp_private *p, const struct pp_node *node, struct pp_node *from)
{
    for (struct pp_node *n = from; n; n = pp_tree_at(p, n->parent)) {
        if (n == node)
            return true;
        if (!n->number)
            break;
    }
    return false;
}

/* The function that began a region has returned: the region continues under the function that runs now. `depth` bounds
 * the recursion over nested regions. */
static __attribute__((cold)) void rehome(struct pp_thread *thread, struct pp_frame *f, unsigned depth)
{
    struct pp_private *p = pp_private(thread);
    while (f && f->flags & GAP)
        f = pp_frame_below(f);
    if (!f || !f->start_ns || !(f->flags & PP_FRAME_FLOATING) || !depth)
        return;
    struct pp_node *old = (struct pp_node *)(uintptr_t)f->node, *here = pp_thread_node(thread);
    if (is_on_path(p, old, here))
        return;
    rehome(thread, pp_frame_below(f), depth - 1);
    here = pp_thread_node(thread);
    struct pp_node *node = pp_tree_enter(thread, (uint32_t)pp_node_site_key(old));
    if (!node || node == old || pp_node_stage(node) != pp_node_stage(old))
        return; /* the stage that it was begun in has ended: it keeps its time, but what runs now is not inside it */
    *(volatile uint32_t *)&f->flags &= ~PP_FRAME_COUNTED;
    atomic_signal_fence(memory_order_seq_cst);
    if (old->active)
        old->active--;
    old->calls--;
    node->active++;
    node->calls++;
    f->node = (uint64_t)(uintptr_t)node;
    f->node_number = node->number;
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile uint32_t *)&f->flags |= PP_FRAME_COUNTED;
    f->outer_node = (uint64_t)(uintptr_t)here;
    thread->node = (uint64_t)(uintptr_t)node;
}

void pp_frames_rehome(struct pp_thread *thread) { rehome(thread, pp_private(thread)->top, 16); }

__attribute__((cold)) void pp_frames_close_all(struct pp_thread *thread)
{
    struct pp_private *p = pp_private(thread);
    uint64_t now = pp_clock_ns();
    while (p->top) {
        if (p->top->start_ns && p->top->flags & PP_FRAME_FLOATING)
            pp_loss(PP_LOSS_REGIONS, 1);
        book(thread, p->top, now);
        trim(p, p->top);
    }
    p->stage_top = NULL;
    thread->node = (uint64_t)(uintptr_t)pp_tree_root(p);
}
