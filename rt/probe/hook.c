/* SPDX-License-Identifier: MIT */
/* hook.c: the slow paths of the probes: what emitted code calls if its inline path is not enough. It must not know the
 * layout of the data file.
 *
 * Each hook is a pair. The public function, at the end of this file, calls the static function of the elected copy of
 * the runtime (copies.c), and passes its caller's stack pointer. The static functions run in that copy only. */
#define _GNU_SOURCE
#include "memory/volume.h"
#include "metric/cpu.h"
#include "probe/calltree.h"
#include "probe/frame.h"
#include "probe/number.h"
#include "probe/object.h"
#include "probe/pace.h"
#include "probe/region.h"
#include "probe/snapshot.h"
#include "probe/stage.h"
#include "process/copies.h"
#include "process/lifecycle.h"
#include "system/clock.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/segment.h"
#include "thread/thread.h"
#include <profplug/abi/line.h>
#include <errno.h>
#include <string.h>

#define ITERATION_NS 100u    /* cost of timing one iteration */
#define TINY_NS 40u          /* if the budget allows less than this for each, only some iterations are timed */
#define TRIAL_ITERATIONS 64u /* timed before their mean decides about that */

/* The thread's block, or null if it has none yet. */
static struct pp_thread *thread_here(void)
{
    return PP_LIKELY(*pp_fork_generation) ? (struct pp_thread *)(uintptr_t)pp_tls()->thread : NULL;
}

/* The thread's block if anything is recorded, else null. The first call starts the runtime, and creates the block. */
static struct pp_thread *thread_of(bool default_off)
{
    if (PP_UNLIKELY(!*pp_fork_generation))
        return NULL;
    if (PP_LIKELY(pp_tls()->thread)) {
        if (PP_LIKELY(!pp_tls()->busy))
            return (struct pp_thread *)(uintptr_t)pp_tls()->thread;
        pp_loss(PP_LOSS_EARLY, 1); /* during a fork */
        return NULL;
    }
    if (atomic_load_explicit(&pp_state, memory_order_acquire) == PP_STATE_NEW && !pp_tls()->busy)
        pp_process_start(default_off);
    if (atomic_load_explicit(&pp_state, memory_order_acquire) != PP_STATE_ON)
        return NULL;
    struct pp_thread *thread = pp_thread_birth();
    if (!thread)
        pp_loss(PP_LOSS_EARLY, 1);
    return thread;
}

__attribute__((cold)) void pp_thread_begin(void)
{
    uint32_t state = atomic_load_explicit(&pp_state, memory_order_acquire);
    if (!*pp_fork_generation)
        return;
    if (state == PP_STATE_ON)
        pp_segment_begin(thread_of(false));
    else if (state == PP_STATE_NEW)
        pp_segment_lend();
    else if (pp_segment_is_wasted())
        pp_segment_waste();
}

/* The same for a probe of this object, which is registered at its first call. Makes room for the object's counters. */
static __attribute__((cold)) struct pp_thread *object_thread(struct pp_object *object)
{
    struct pp_thread *thread = thread_of(object->flags & PP_OBJECT_DEFAULT_OFF);
    if (PP_UNLIKELY(!atomic_load_explicit((_Atomic uint32_t *)&object->last_key, memory_order_acquire)) &&
        atomic_load_explicit((_Atomic uint64_t *)&object->end, memory_order_relaxed) == PP_END_UNREGISTERED &&
        (thread || atomic_load_explicit(&pp_state, memory_order_acquire) == PP_STATE_OFF)) {
        uint64_t *busy = &pp_tls()->busy;
        if (*busy)
            return NULL;
        sigset_t saved;
        pp_signals_block(&saved);
        *busy = 1;
        uint64_t begun_ns = pp_cpu_own();
        pp_object_register(object);
        uint64_t took_ns = pp_cpu_own() - begun_ns;
        if (thread)
            pp_private(thread)->self_ns += took_ns;
        *busy = 0;
        pp_signals_restore(&saved);
    }
    if (object->flags & PP_OBJECT_SEGMENT)
        pp_segment_open(object, thread);
    if (!thread || !object->last_key)
        return NULL;
    if (PP_UNLIKELY(object->end > pp_tls()->limit && object->end != PP_END_OFF))
        pp_thread_refill(thread);
    return thread;
}

/* Opens an activation of `key` under the current node. It represents `calls` calls. Frames deeper than `gone` on the
 * stack were left without a probe. Returns a token: of its frame (odd), or the address of the node to restore if it has
 * no frame (even), or 0 if there is nothing to restore. */
static uint64_t activation_open(struct pp_thread *thread, uint32_t key, uint64_t stack, uint64_t gone, uint32_t flags,
                                uint64_t calls)
{
    struct pp_private *p = pp_private(thread);
    if (PP_UNLIKELY(p->top && p->top->stack_address < gone))
        pp_frames_heal(thread, gone);
    if (PP_UNLIKELY(p->top && p->top->flags & PP_FRAME_FLOATING))
        pp_frames_rehome(thread);
    struct pp_node *outer = pp_thread_node(thread);
    if (PP_UNLIKELY(*pp_node_flags(outer) & PP_NODE_STAGE && !outer->active)) {
        /* A region was ended in a deeper function than the one that runs now. */
        while (outer->number && *pp_node_flags(outer) & PP_NODE_STAGE && !outer->active)
            outer = pp_tree_at(p, outer->parent);
        thread->node = (uint64_t)(uintptr_t)outer;
    }
    struct pp_node *node = pp_tree_enter(thread, key);
    if (PP_UNLIKELY(!node)) {
        pp_loss(PP_LOSS_EARLY, 1);
        return 0;
    }
    node->calls += calls;
    if (node == outer && !(*pp_node_flags(node) & PP_NODE_STAGE) && pp_run.options.timing == PP_TIMING_ADAPTIVE)
        return 0; /* recursion: timed as one activation */
    uint64_t token = (uint64_t)(uintptr_t)outer;
    bool stage = *pp_node_flags(node) & PP_NODE_STAGE;
    struct pp_frame *f =
        PP_UNLIKELY(pp_node_gathers(node) && !stage) ? NULL : pp_frame_push(thread, node, outer, stack, flags);
    if (PP_LIKELY(f))
        token = pp_frame_token(f);
    thread->node = (uint64_t)(uintptr_t)node;
    return token;
}

/* fault.c returns from these functions when a page of the data file is lost. STAY prevents a tail call, so that the
 * hook's frame exists until its last callee has returned. */
#define HOOK __attribute__((section("profplug_hooks"), noinline))
#define STAY() __asm__ volatile("" ::: "memory")

/* The thread's counter of a slot, or null if it has no room for it. */
static uint64_t *counter_at(const struct pp_object *object, uint32_t slot)
{
    if (object->flags & PP_OBJECT_SEGMENT)
        return pp_segment_counter(object, slot);
    if (PP_UNLIKELY(object->end > pp_tls()->limit))
        return NULL;
    return (uint64_t *)(uintptr_t)(pp_tls()->counters + object->end - 8 - (uint64_t)slot * 8);
}

HOOK static void count(struct pp_object *object, uint32_t slot)
{
    struct pp_thread *thread = object_thread(object);
    if (!thread || (object->end == PP_END_OFF && !(object->flags & PP_OBJECT_SEGMENT)))
        return;
    uint64_t *counter = counter_at(object, slot);
    if (PP_LIKELY(counter))
        ++*counter;
    else
        pp_loss(PP_LOSS_EARLY, 1);
}

/* The end of the object's counters for this thread. Lines can be counted while calls are not. A call counter that
 * serves a line is then counted, too. */
HOOK __attribute__((cold)) static uint64_t hits(struct pp_object *object)
{
    if (PP_UNLIKELY(*pp_fork_generation && pp_tls()->busy))
        return pp_object_waste(object); /* during a fork: the function's call is counted as lost, which is enough */
    struct pp_thread *thread = object_thread(object);
    if (object->flags & PP_OBJECT_SEGMENT)
        return 0; /* the code finds its counters by the segment register */
    uint64_t end = thread && (pp_on(PP_COLLECTOR_HITS) || pp_on(PP_COLLECTOR_CALLTREE))
                       ? ((uint64_t)object->last_key + 1) * 8
                       : PP_END_OFF;
    if (!thread || end == PP_END_OFF)
        return pp_object_waste(object);
    if (PP_UNLIKELY(end > pp_tls()->limit))
        pp_thread_refill(thread);
    if (PP_LIKELY(end <= pp_tls()->limit))
        return pp_tls()->counters + end;
    pp_loss(PP_LOSS_EARLY, 1);
    return pp_object_waste(object);
}

HOOK static uint64_t enter(struct pp_object *object, uint32_t slot, uint64_t stack)
{
    bool uncounted = slot & PP_SLOT_UNCOUNTED;
    slot &= ~PP_SLOT_UNCOUNTED;
    if (PP_UNLIKELY(*pp_fork_generation && pp_tls()->busy) && !uncounted && object->last_key &&
        !(pp_key_facts(object->last_key - slot) & PP_SITE_TIMED))
        return 0; /* during a fork: the call is in its counter, and only its path is lost */
    struct pp_thread *thread = object_thread(object);
    uint32_t key = object->last_key - slot;
    uint64_t gone =
        stack + 1; /* at a function's entry, a frame at the same stack address belongs to one that is gone */
    if (thread && pp_key_facts(key) & PP_SITE_TIMED)
        return activation_open(thread, key, stack, gone, 0, 1);
    if (PP_UNLIKELY(object->end == PP_END_OFF)) {
        if (object->flags & PP_OBJECT_SEGMENT)
            pp_segment_quiet(object, slot, uncounted);
        return 0;
    }
    if (PP_UNLIKELY(!thread))
        return 0;
    uint64_t *counter = counter_at(object, slot);
    if (PP_UNLIKELY(!counter)) {
        pp_loss(PP_LOSS_EARLY, 1);
        return 0;
    }
    if (uncounted)
        ++counter[PP_FRAMED_REST];
    /* The calls since the last one that came here; 0 if a signal handler booked them in between. */
    uint64_t reached = pp_calls(counter), calls = reached - counter[PP_FRAMED_BOOKED];
    counter[PP_FRAMED_BOOKED] = reached;
    uint64_t token = activation_open(thread, key, stack, gone, 0, calls);
    if (pp_run.options.timing == PP_TIMING_ADAPTIVE)
        pp_pace(thread, counter, calls, token & 1 ? pp_private(thread)->top : NULL);
    return token;
}

HOOK static void leave(uint64_t token, uint64_t stack)
{
    struct pp_thread *thread = thread_here();
    if (PP_UNLIKELY(!(token & 1))) {
        if (thread)
            thread->node = token;
        return;
    }
    struct pp_frame *frame = thread ? pp_frame_of(thread, token) : NULL;
    if (PP_LIKELY(frame))
        pp_frame_leave(thread, frame); /* else it was closed already, or belongs to another thread */
    STAY();
}

/* Control is back in the function that got `token` (setjmp returned, or an exception was caught): the activations that
 * its callees opened are gone. */
HOOK __attribute__((cold)) static void resync(struct pp_object *object, uint32_t slot, uint64_t token, uint64_t stack)
{
    struct pp_thread *thread = thread_here();
    if (!thread)
        return;
    struct pp_private *p = pp_private(thread);
    struct pp_frame *frame = token & 1 ? pp_frame_of(thread, token) : NULL;
    if (frame && p->top != frame) {
        struct pp_frame *keep =
            frame; /* or the last that the function itself opened later, at the same stack address */
        for (struct pp_frame *f = p->top; f && f != frame; f = pp_frame_below(f))
            if (f->start_ns && f->stack_address >= stack && keep == frame)
                keep = f;
        pp_frames_cut(thread, keep, stack);
    } else if (!frame) {
        pp_frames_cut(thread, NULL, stack);
    }
    if (frame && !(p->top && p->top->start_ns && p->top->stack_address == stack)) {
        thread->node = frame->node;
    } else if (token && !(token & 1)) {
        thread->node = token;
        struct pp_node *node = object->last_key ? pp_tree_enter(thread, object->last_key - slot) : NULL;
        if (node)
            thread->node = (uint64_t)(uintptr_t)node;
    } else {
        thread->node = p->top && p->top->start_ns ? p->top->node : (uint64_t)(uintptr_t)pp_tree_root(p);
    }
}

/* ---- loops and scopes that setjmp's function goes on without ---- */

#define INLINED_MOST 8 /* activations of a scope that may be open in one frame: GCC inlines recursion less deeply */

/* Where a loop's frame has the address of its struct profplug_loop: no metric has that place. */
_Static_assert(PP_METRIC_COUNT < PP_METRIC_CAPACITY, "a place for the loop's address");
static uint64_t *loop_of(struct pp_frame *f) { return &f->metric[PP_METRIC_CAPACITY - 1]; }

static bool is_open(const struct pp_frame *f, uint32_t key)
{
    return f->start_ns && !(f->flags & PP_FRAME_FLOATING) &&
           pp_node_site_key((struct pp_node *)(uintptr_t)f->node) == key;
}

/* longjmp left it, but not its function, which enters it again at the same stack address. A loop that has the same
 * struct profplug_loop was left. Of scopes that is sure when there are too many. */
static __attribute__((noinline, cold)) struct pp_frame *abandoned(struct pp_thread *thread, uint32_t key,
                                                                  uint64_t stack, const struct profplug_loop *l)
{
    struct pp_frame *top = pp_private(thread)->top, *last = NULL;
    unsigned open = 0;
    if (PP_UNLIKELY(top && top->stack_address < stack))
        pp_frames_heal(thread, stack);
    for (struct pp_frame *f = pp_private(thread)->top; f && f->stack_address == stack; f = pp_frame_below(f)) {
        if (!is_open(f, key) || *loop_of(f) != (uint64_t)(uintptr_t)l)
            continue;
        last = f;
        open++;
    }
    return l || open >= INLINED_MOST ? last : NULL;
}

static __attribute__((noinline, cold)) void abandoned_close(struct pp_thread *thread, struct pp_frame *f,
                                                            uint64_t stack)
{
    pp_frames_cut(thread, pp_frame_below(f), stack + 1);
}

HOOK __attribute__((cold)) static uint64_t scope_enter(struct profplug_place *place, uint64_t stack)
{
    struct pp_thread *thread = thread_of(false);
    uint32_t key = thread ? pp_region_key(place) : 0;
    struct pp_frame *left = key ? abandoned(thread, key, stack, NULL) : NULL;
    if (PP_UNLIKELY(left))
        abandoned_close(thread, left, stack);
    uint64_t token = key ? activation_open(thread, key, stack, stack, 0, 1) : 0;
    if (token & 1)
        *loop_of(pp_private(thread)->top) = 0;
    STAY();
    return token;
}

/* ---- loops ---- */

static struct pp_stage *loop_stage(const struct profplug_loop *l) { return (struct pp_stage *)(uintptr_t)l->stage; }

static __attribute__((cold)) void iteration_end(struct pp_private *p, struct profplug_loop *l, struct pp_frame *frame,
                                                uint64_t now)
{
    struct pp_stage *s = loop_stage(l);
    bool timed = l->started_ns && l->bodies != l->index; /* if no body ran, the condition ended the loop */
    uint64_t bodies = l->bodies - l->booked;
    s->calls += bodies;
    pp_windows_add(&s->windows[PP_WINDOW_CALLS], now - pp_run.header->start_ns, bodies);
    l->booked = l->bodies;
    if (bodies > timed)
        pp_give_up_often(p, PP_GIVEN_ITERATIONS, bodies - timed);
    if (!timed)
        return;
    uint64_t wall = now > l->started_ns ? now - l->started_ns : 0;
    uint64_t inner = frame->stage_child_ns - l->inner_ns;
    pp_stage_time(s, wall, l->index, l->started_ns);
    s->wall_ns += wall;
    s->outer_calls++;
    s->self_ns += wall > inner ? wall - inner : 0;
}

/* Books what the loop did, before its frame goes. */
static __attribute__((cold)) void loop_book(struct pp_thread *thread, struct profplug_loop *l, struct pp_frame *frame)
{
    if (loop_stage(l))
        iteration_end(pp_private(thread), l, frame, pp_clock_ns());
    struct pp_node *node = (struct pp_node *)(uintptr_t)frame->node;
    /* Null if there was no room for its record, which was counted as a loss. */
    struct pp_stage *loop = *pp_node_flags(node) & PP_NODE_STAGE ? pp_node_stage(node) : NULL;
    if (loop) {
        loop->loop_runs++;
        if (l->bodies < loop->trips_min)
            loop->trips_min = l->bodies;
        if (l->bodies > loop->trips_max)
            loop->trips_max = l->bodies;
    }
}

HOOK __attribute__((cold)) static void loop_enter(struct profplug_place *place, struct profplug_loop *l, uint64_t stack)
{
    struct pp_thread *thread = thread_of(false);
    uint32_t key = thread ? pp_region_key(place) : 0;
    struct pp_frame *left = key ? abandoned(thread, key, stack, l) : NULL;
    if (PP_UNLIKELY(left)) {
        if (l->token == pp_frame_token(left)) {
            l->started_ns = 0; /* when that iteration ended is not known */
            loop_book(thread, l, left);
        }
        abandoned_close(thread, left, stack);
    }
    memset(l, 0, sizeof *l);
    l->countdown = UINT64_MAX;
    if (!key)
        return;
    l->token = activation_open(thread, key, stack, stack, 0, 1);
    if (!(l->token & 1))
        return;
    struct pp_frame *frame = pp_private(thread)->top;
    *loop_of(frame) = (uint64_t)(uintptr_t)l;
    int saved_errno = errno;
    sigset_t saved;
    pp_signals_block(&saved);
    struct pp_stage *s = pp_stage_get(thread, key, PP_SITE_ITERATION, frame->stage);
    pp_signals_restore(&saved);
    errno = saved_errno;
    l->stage = (uint64_t)(uintptr_t)s;
    if (s)
        l->countdown = 0;
}

HOOK static void loop_next(struct profplug_loop *l)
{
    struct pp_thread *thread = thread_here();
    struct pp_frame *frame = thread && l->token & 1 ? pp_frame_of(thread, l->token) : NULL;
    if (!frame || !loop_stage(l)) {
        l->countdown = UINT64_MAX;
        return;
    }
    struct pp_private *p = pp_private(thread);
    struct pp_stage *s = loop_stage(l);
    uint64_t now = pp_clock_ns();
    bool ended = l->started_ns;
    iteration_end(p, l, frame, now);
    p->events_timed += ended;
    l->started_ns = 0;
    uint64_t tiny = pp_budget_ns(TINY_NS), mean = ended && s->timed_calls >= TRIAL_ITERATIONS ? pp_stage_mean(s) : tiny;
    if (mean < tiny) {
        /* Skip as many iterations as make the timed ones affordable, by a random number that no pattern of the loop can
         * keep step with. */
        uint64_t skip = pp_budget_ns(ITERATION_NS) / mean + 1;
        l->countdown = skip / 2 + pp_random(p) % (skip + 1);
        return;
    }
    l->countdown = 0;
    l->index = l->bodies;
    l->inner_ns = frame->stage_child_ns;
    if (now > p->next_heartbeat_ns)
        pp_heartbeat(thread, now);
    l->started_ns = now;
}

HOOK __attribute__((cold)) static void loop_leave(struct profplug_loop *l, uint64_t stack)
{
    struct pp_thread *thread = thread_here();
    if (!thread || !l->token)
        return;
    if (!(l->token & 1)) {
        thread->node = l->token;
        return;
    }
    struct pp_frame *frame = pp_frame_of(thread, l->token);
    if (!frame)
        return;
    loop_book(thread, l, frame);
    l->token = 0;
    pp_frame_leave(thread, frame);
    STAY();
}

/* ---- regions begun and ended by name ---- */

HOOK __attribute__((cold)) static void begin(const char *name, uint64_t stack)
{
    struct profplug_place place = { .name = name, .kind = PP_SITE_SCOPE };
    struct pp_thread *thread = name ? thread_of(false) : NULL;
    uint32_t key = thread ? pp_region_key(&place) : 0;
    if (key)
        activation_open(thread, key, stack, stack, PP_FRAME_FLOATING, 1);
    STAY();
}

HOOK __attribute__((cold)) static void end(const char *name)
{
    struct pp_thread *thread = thread_here();
    struct profplug_place place = { .name = name, .kind = PP_SITE_SCOPE };
    uint32_t key = thread && name ? pp_region_key(&place) : 0;
    if (!key)
        return;
    for (struct pp_frame *f = pp_private(thread)->top; f; f = pp_frame_below(f))
        if (f->start_ns && f->flags & PP_FRAME_FLOATING &&
            key == pp_node_site_key((struct pp_node *)(uintptr_t)f->node)) {
            pp_frame_leave(thread, f);
            STAY();
            return;
        }
    pp_loss(PP_LOSS_REGIONS, 1); /* no region of that name is open */
}

/* ---- counts, gauges and snapshots that the program asks for ---- */

HOOK static void number(struct profplug_number *number, int64_t value, uint64_t stack)
{
    struct pp_thread *thread = thread_of(false);
    if (!thread)
        return;
    struct pp_frame *top = pp_private(thread)->top;
    if (PP_UNLIKELY(top && top->stack_address < stack))
        pp_frames_heal(thread, stack); /* so that the innermost stage is one that is still open */
    pp_number_add(thread, number, value);
    STAY();
}

HOOK __attribute__((cold)) static void snapshot(const char *label, uint64_t stack)
{
    struct pp_thread *thread = thread_of(false);
    if (!thread)
        return;
    struct pp_frame *top = pp_private(thread)->top;
    if (PP_UNLIKELY(top && top->stack_address < stack))
        pp_frames_heal(thread, stack); /* so that activations left without a probe have ended */
    pp_snapshot_take(label);
    STAY();
}

const struct pp_interface pp_interface = {
    .version = PP_INTERFACE_VERSION,
    .size = sizeof(struct pp_interface),
    .count = count,
    .hits = hits,
    .enter = enter,
    .leave = leave,
    .resync = resync,
    .scope_enter = scope_enter,
    .loop_enter = loop_enter,
    .loop_next = loop_next,
    .loop_leave = loop_leave,
    .begin = begin,
    .end = end,
    .number = number,
    .snapshot = snapshot,
    .start = pp_process_start,
    .copied = pp_volume_copied,
    .handed = pp_volume_handed,
};

/* ---- what emitted code and the program call ---- */

#define CALLER_STACK ((uint64_t)(uintptr_t)__builtin_dwarf_cfa())

PP_PUBLIC void __profplug_count(struct pp_object *object, uint32_t slot) { pp_elected()->count(object, slot); }

PP_PUBLIC uint64_t __profplug_hits(struct pp_object *object)
{
    uint64_t base = pp_elected()->hits(object);
    return base ? base : pp_object_waste(object); /* 0: a fault ended the hook (fault.c) */
}

PP_PUBLIC uint64_t __profplug_enter(struct pp_object *object, uint32_t slot)
{
    return pp_elected()->enter(object, slot, CALLER_STACK);
}

PP_PUBLIC void __profplug_leave(uint64_t token)
{
    if (token)
        pp_elected()->leave(token, CALLER_STACK);
}

PP_PUBLIC void __profplug_resync(struct pp_object *object, uint32_t slot, uint64_t token)
{
    pp_elected()->resync(object, slot, token, CALLER_STACK);
}

PP_PUBLIC uint64_t __profplug_scope_enter(struct profplug_place *place)
{
    return pp_elected()->scope_enter(place, CALLER_STACK);
}

PP_PUBLIC void __profplug_loop_enter(struct profplug_place *place, struct profplug_loop *loop)
{
    pp_elected()->loop_enter(place, loop, CALLER_STACK);
}

PP_PUBLIC void __profplug_loop_next(struct profplug_loop *loop) { pp_elected()->loop_next(loop); }

PP_PUBLIC void __profplug_loop_leave(struct profplug_loop *loop) { pp_elected()->loop_leave(loop, CALLER_STACK); }

PP_PUBLIC void profplug_begin(const char *name) { pp_elected()->begin(name, CALLER_STACK); }

PP_PUBLIC void profplug_end(const char *name) { pp_elected()->end(name); }

PP_PUBLIC void __profplug_number(struct profplug_number *number, int64_t value)
{
    pp_elected()->number(number, value, CALLER_STACK);
}

PP_PUBLIC void profplug_snapshot(const char *label) { pp_elected()->snapshot(label, CALLER_STACK); }

PP_PUBLIC void __profplug_copied(uint64_t bytes) { pp_elected()->copied(bytes, __builtin_return_address(0)); }

PP_PUBLIC void __profplug_filled(uint64_t bytes)
{
    pp_elected()->copied(bytes | PP_FILLED, __builtin_return_address(0));
}

PP_PUBLIC void __profplug_handed(uint64_t bytes, uint32_t there)
{
    if (there)
        pp_elected()->handed(bytes, __builtin_return_address(0));
}
