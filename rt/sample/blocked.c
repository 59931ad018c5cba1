/* SPDX-License-Identifier: MIT */
/* blocked.c: finds the calls that led to a wait. That takes as long as a sample. A long wait has its calls found for
 * itself. Of shorter waits, the one with which their sum reaches a random bound stands for all since the last, so over
 * a run each callsite gets its share. Such a row says how much it stands for. The calls are found after the wait, when
 * the thread may hold a lock, so a wait that is worth it is a hundred times as long. */
#define _GNU_SOURCE
#include "sample/blocked.h"
#include "file/datafile.h"
#include "metric/cpu.h"
#include "sample/sampler.h"
#include "stack/unwind.h"
#include "stack/walk.h"
#include "system/clock.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/privatestack.h"
#include "thread/thread.h"
#include "thread/timeline.h"

#include <errno.h>

#define FIRST_CAPACITY 64u /* rows of a thread's first table: less than a page */
#define PERIOD_LEAST_NS UINT64_C(1000000)
#define BUDGET_PART 8u /* this may take 1 / BUDGET_PART of the budget */
/* It may also take 1 / WAITED_PART of the time waited, so that a thread that hardly runs is known, too. */
#define WAITED_PART 2000u
#define FREE_COUNT 32u              /* these first waits are found in any case */
#define PERIOD_EVERY 8u             /* in so many the period is found anew */
#define LONGEST_NS UINT64_C(100000) /* if finding seems to take longer, the thread was preempted */

struct wait {
    uint32_t kind, busy;
    uint64_t own_ns, drawn_ns;
};

static uint32_t hash_of(uint32_t path, uint32_t node, const struct wait *wait)
{
    uint64_t h = (path ^ (uint64_t)node << 24 ^ (uint64_t)wait->kind << 56 ^ (uint64_t)wait->busy << 55) *
                 UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(h >> 32);
}

static struct pp_blocked_path *row_find(struct pp_blocked_table *table, uint32_t path, uint32_t node,
                                        const struct wait *wait)
{
    struct pp_blocked_path *row = (struct pp_blocked_path *)(table + 1);
    uint32_t capacity = table->capacity, mask = capacity - 1;
    for (uint32_t i = hash_of(path, node, wait) & mask, tried = 0; tried < capacity; i = (i + 1) & mask, tried++)
        if (!row[i].count ||
            (row[i].path == path && row[i].node == node && row[i].kind == wait->kind && row[i].busy == wait->busy))
            return &row[i];
    return NULL;
}

/* A full table is followed by one twice as long. The old one keeps its rows, and readers add them up. */
static struct pp_blocked_path *row_get(struct pp_thread *thread, uint32_t path, uint32_t node, const struct wait *wait)
{
    struct pp_blocked_state *s = &pp_private(thread)->stall;
    struct pp_blocked_table *table = (struct pp_blocked_table *)(uintptr_t)s->table;
    struct pp_blocked_path *row = table ? row_find(table, path, node, wait) : NULL;
    if (row && row->count)
        return row;
    if (!table || table->used >= table->capacity / 4 * 3) {
        uint32_t capacity = table ? table->capacity * 2 : FIRST_CAPACITY;
        struct pp_extent extent;
        if (!pp_extent_claim(&extent, sizeof *table + (uint64_t)capacity * sizeof *row))
            return NULL;
        table = extent.address;
        table->capacity = capacity;
        pp_extent_publish(&extent, PP_EXTENT_BLOCKED, thread->id);
        s->table = (uint64_t)(uintptr_t)table;
        row = row_find(table, path, node, wait);
    }
    if (!row)
        return NULL; /* the table's page was lost */
    row->path = path;
    row->node = node;
    row->kind = wait->kind;
    row->busy = wait->busy;
    table->used++;
    return row;
}

static void wait_book(struct pp_thread *thread, uint32_t path, uint32_t node, const struct wait *wait)
{
    struct pp_blocked_path *row = row_get(thread, path, node, wait);
    if (!row) {
        pp_loss(PP_LOSS_STALLS, 1);
        return;
    }
    uint64_t drawn_us = wait->drawn_ns / 1000;
    row->ns += wait->own_ns + wait->drawn_ns;
    row->squares_us2 += drawn_us * drawn_us;
    /* partner: a reader, which takes a row once its count is not 0 */
    atomic_store_explicit((_Atomic uint64_t *)&row->count, row->count + 1, memory_order_release);
}

static void wait_find(void *whose, void *where, void *what)
{
    struct pp_thread *thread = whose;
    struct pp_private *p = pp_private(thread);
    struct pp_unwind *unwind = where;
    struct pp_walk walk = { .with_first = true };
    if (unwind) {
        pp_walk_bound(unwind, thread);
        pp_walk_calls(&walk, unwind, &p->trail, NULL);
    }
    const struct pp_node *node = pp_thread_node(thread);
    wait_book(thread, pp_walk_book(&walk, thread, 0), node ? node->number : 0, what);
}

/* Not inline, because unwinding begins with this frame, which must exist throughout. */
static __attribute__((noinline)) void wait_take(struct pp_thread *thread, struct wait *wait)
{
    struct pp_unwind unwind;
    pp_private_stack_make(pp_private(thread));
    pp_on_private_stack(pp_private(thread), wait_find, thread, pp_unwind_here(&unwind) ? &unwind : NULL, wait);
}

/* Returns how much waiting is worth finding the calls of one wait. */
static uint64_t period_find(const struct pp_blocked_state *s, uint64_t cpu_ns)
{
    uint64_t may_ns = cpu_ns / 1000 * pp_run.header->budget_permille / BUDGET_PART + s->waited_ns / WAITED_PART,
             found = s->found + 1, times = FREE_COUNT + may_ns / (s->spent_ns / found + 1);
    uint64_t period_ns = found < FREE_COUNT ? 0 : s->waited_ns / times;
    return period_ns < PERIOD_LEAST_NS ? PERIOD_LEAST_NS : period_ns;
}

/* Finds the calls that led here, and draws when that is due next. */
static void take(struct pp_thread *thread, struct pp_blocked_state *s, struct wait *wait)
{
    uint64_t begun_ns = pp_now_ns();
    bool outer = pp_private(thread)->timed;
    pp_private(thread)->timed = true;
    wait_take(thread, wait);
    pp_private(thread)->timed = outer;
    uint64_t spent_ns = pp_now_ns() - begun_ns;
    if (spent_ns > LONGEST_NS)
        spent_ns = LONGEST_NS;
    s->spent_ns += spent_ns;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->self_ns, spent_ns, memory_order_relaxed);
    if (s->found < FREE_COUNT || !(s->found % PERIOD_EVERY)) /* it asks for the CPU clock */
        s->period_ns = period_find(s, pp_cpu_own());
    s->found++;
    if (pp_on(PP_COLLECTOR_SAMPLES))
        pp_sampler_waited(thread);
}

static uint64_t due_draw(struct pp_thread *thread, const struct pp_blocked_state *s)
{
    return s->period_ns / 2 + ((pp_random(pp_private(thread)) >> 32) * s->period_ns >> 32);
}

enum pp_wait pp_wait_of(uint32_t kind)
{
    static const uint8_t group[] = {
#define PP_OPERATION(id, name, group, account, meaning) PP_WAIT_##group,
#include <profplug/abi/operation.def>
    };
    return (enum pp_wait)group[kind];
}

void pp_blocked_book(struct pp_thread *thread, uint64_t key, uint64_t wait_ns, uint64_t weight)
{
    uint32_t kind = PP_OPERATION_KIND(key);
    struct pp_thread_row *own = pp_private(thread)->row;
    if (own)
        own->wait_ns += wait_ns * weight;
    struct pp_waited *in = &pp_private(thread)->waited[pp_wait_of(kind)];
    in->key = key;
    /* partner: holder.c, which compares what it was before and after */
    atomic_store_explicit((_Atomic uint64_t *)&in->ns, in->ns + wait_ns, memory_order_release);
    if (PP_UNLIKELY(pp_on(PP_COLLECTOR_TIMELINE)))
        pp_timeline_add(thread, PP_TIMELINE_WAITS,
                        (struct pp_event){ .start_ns = pp_clock_ns() - wait_ns,
                                           .wall_ns = wait_ns,
                                           .stage = PP_OPERATION_STAGE(key),
                                           .what = PP_OPERATION_POINT(key),
                                           .operation = kind },
                        weight);
    struct pp_blocked_state *s = &pp_private(thread)->stall;
    if (PP_UNLIKELY(!s->period_ns)) { /* not at the first wait, which may be all that a short process has */
        s->period_ns = PERIOD_LEAST_NS;
        s->due_ns = due_draw(thread, s);
    }
    bool alone = wait_ns >= s->period_ns;
    s->waited_ns += wait_ns * weight;
    if (PP_UNLIKELY(pp_private(thread)->left_node)) {
        if (thread->node)
            wait_book(thread, 0, pp_private(thread)->left_node - 1, &(struct wait){ kind, 0, wait_ns, 0 });
        return;
    }
    if (!alone && (s->pending_ns += wait_ns * weight) < s->due_ns)
        return;
    if (pp_forbids(PP_FORBIDDEN_CORE) || !thread->node)
        return; /* signals cannot be blocked, so a sample could interrupt; or the file was truncated, and all is zero */
    sigset_t saved;
    int kept = errno;
    pp_signals_block(&saved);
    if (alone || s->pending_ns >= s->due_ns) { /* else a handler has done it meanwhile */
        take(thread, s,
             alone ? &(struct wait){ kind, 0, wait_ns, wait_ns * (weight - 1) }
                   : &(struct wait){ kind, 0, 0, s->pending_ns });
        if (!alone)
            s->pending_ns = 0;
        if (!alone)
            s->due_ns = due_draw(thread, s);
    }
    pp_signals_restore(&saved);
    errno = kept;
}

/* Here `due_ns` is the sum at which the next time is due, and `pending_ns` the sum up to which all were booked. */
void pp_busy_book(struct pp_thread *thread, uint32_t kind)
{
    struct pp_blocked_state *s = &pp_private(thread)->busy;
    if (pp_forbids(PP_FORBIDDEN_CORE) || !thread->node)
        return;
    sigset_t saved;
    int kept = errno;
    pp_signals_block(&saved);
    if (s->waited_ns >= s->due_ns) {
        if (s->due_ns)
            take(thread, s, &(struct wait){ kind, 1, 0, s->waited_ns - s->pending_ns });
        else
            s->period_ns = PERIOD_LEAST_NS;
        s->pending_ns = s->due_ns ? s->waited_ns : 0;
        s->due_ns = s->waited_ns + due_draw(thread, s);
    }
    pp_signals_restore(&saved);
    errno = kept;
}
