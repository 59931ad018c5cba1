/* SPDX-License-Identifier: MIT */
/* number.c: counts and gauges that the program reports, booked at its current stage, and how often something happened
 * in each window of time. It must not know what a stage is.
 *
 * The static variable of a use holds the id of its name, which is an index into the stage's array: no lookup. A signal
 * handler may book between any two instructions. So a sum takes one addition in memory per word (a handler restores the
 * carry flag between the two), and the extremes are changed by compare and exchange. */
#define _GNU_SOURCE
#include "probe/number.h"
#include "file/datafile.h"
#include "file/memory.h"
#include "probe/frame.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/signal.h"
#include "system/state.h"
#include "thread/timeline.h"
#include <errno.h>
#include <string.h>

#define NONE UINT64_MAX /* the id of a name that found no room */

/* By id; under pp_lock. */
PP_FAR static struct {
    char *name;
    uint32_t kind;
    _Atomic uint64_t sum; /* while the timeline is on */
} known[PP_NUMBERS + 1];
static uint32_t known_count;
/* Beside an id: each value of the number is looked at, because it is PP_ITEMS, or for the timeline. */
#define WATCHED (UINT64_C(1) << 32)
static struct {
    char *at;
    uint64_t left;
} room; /* for names */

/* ---- windows ---- */

static __attribute__((noinline)) void windows_halve(struct pp_windows *w, uint64_t at_ns)
{
    sigset_t saved;
    int saved_errno = errno;
    pp_signals_block(&saved); /* no handler may count while the counts are moved */
    while (at_ns >> (PP_WINDOW_BITS + w->shift) >= PP_WINDOWS && w->shift < PP_WINDOW_SHIFT_MOST) {
        atomic_store_explicit((_Atomic uint32_t *)&w->turn, w->turn + 1,
                              memory_order_release); /* partner: windows_check in report/read/tally.c */
        for (unsigned i = 0; i < PP_WINDOWS / 2; i++)
            w->count[i] = w->count[2 * i] + w->count[2 * i + 1];
        memset(w->count + PP_WINDOWS / 2, 0, sizeof w->count / 2);
        w->shift++;
        atomic_store_explicit((_Atomic uint32_t *)&w->turn, w->turn + 1, memory_order_release);
    }
    pp_signals_restore(&saved);
    errno = saved_errno;
}

static inline void word_add(uint64_t *to, uint64_t more)
{
#ifdef __x86_64__
    __asm__("addq %1, %0" : "+m"(*to) : "er"(more) : "cc");
#else
    atomic_fetch_add_explicit((_Atomic uint64_t *)to, more, memory_order_relaxed);
#endif
}

void pp_windows_add(struct pp_windows *w, uint64_t at_ns, uint64_t count)
{
    if (PP_UNLIKELY(at_ns >> (PP_WINDOW_BITS + w->shift) >= PP_WINDOWS))
        windows_halve(w, at_ns);
    uint64_t k = at_ns >> (PP_WINDOW_BITS + w->shift);
    word_add(&w->count[k < PP_WINDOWS ? k : PP_WINDOWS - 1], count);
}

/* ---- names ---- */

static uint64_t number_new(const char *name, size_t bytes, uint32_t kind)
{
    if (known_count == PP_NUMBERS)
        return NONE;
    if (room.left < bytes) {
        room.at = pp_memory(4096);
        room.left = room.at ? 4096 : 0;
    }
    struct pp_number head = { known_count + 1, kind };
    if (!room.at || !pp_record_add2(PP_RECORD_NUMBER, &head, sizeof head, name, (uint32_t)bytes))
        return NONE;
    memcpy(room.at, name, bytes);
    known_count++;
    known[known_count].name = room.at;
    known[known_count].kind = kind;
    room.at += bytes;
    room.left -= bytes;
    return known_count;
}

static __attribute__((noinline)) uint64_t number_find(struct profplug_number *number)
{
    size_t bytes = number->name ? strnlen(number->name, PP_NUMBER_BYTES) + 1 : PP_NUMBER_BYTES + 1;
    uint64_t id = NONE;
    if (bytes <= PP_NUMBER_BYTES) {
        sigset_t saved;
        int saved_errno = errno;
        if (pp_forbids(PP_FORBIDDEN_CORE))
            return NONE; /* for now: number->id stays 0, so the next use tries again */
        pp_lock(&saved);
        for (uint32_t i = 1; i <= known_count && id == NONE; i++)
            if (!strcmp(known[i].name, number->name))
                id = i;
        if (id == NONE)
            id = number_new(number->name, bytes, number->kind);
        pp_unlock(&saved);
        errno = saved_errno;
        if (id != NONE && (!strcmp(number->name, PP_ITEMS) || pp_on(PP_COLLECTOR_TIMELINE)))
            id |= WATCHED;
    }
    atomic_store_explicit((_Atomic uint64_t *)&number->id, id, memory_order_relaxed);
    return id;
}

/* ---- values ---- */

/* The page of the stage's tallies that holds the number. Null: no room. */
static struct pp_tallies *page_find(struct pp_thread *thread, struct pp_stage *stage, uint32_t id)
{
    _Atomic uint64_t *link = (_Atomic uint64_t *)&stage->tallies;
    for (uint32_t first = 1;; first += PP_TALLIES) {
        struct pp_tallies *page = (struct pp_tallies *)(uintptr_t)atomic_load_explicit(link, memory_order_acquire);
        struct pp_extent extent;
        if (PP_UNLIKELY(!page)) {
            int saved_errno = errno;
            bool claimed = pp_extent_claim(&extent, sizeof *page + PP_TALLIES * sizeof(struct pp_tally));
            errno = saved_errno;
            if (!claimed)
                return NULL;
            page = extent.address;
            page->stage = stage->number;
            page->first = first;
            page->count = PP_TALLIES;
            uint64_t none = 0;
            if (atomic_compare_exchange_strong_explicit(link, &none, (uint64_t)(uintptr_t)page, memory_order_release,
                                                        memory_order_acquire))
                pp_extent_publish(&extent, PP_EXTENT_TALLIES, thread->id);
            else
                page = (struct pp_tallies *)(uintptr_t)none; /* a handler was first */
        }
        if (PP_LIKELY(id - first < PP_TALLIES))
            return page;
        link = (_Atomic uint64_t *)&page->next;
    }
}

static inline void sum_add(uint64_t sum[2], int64_t value)
{
#ifdef __x86_64__
    __asm__("addq %2, %0\n\tadcq %3, %1" : "+m"(sum[0]), "+m"(sum[1]) : "r"(value), "r"(-(int64_t)(value < 0)) : "cc");
#else
    uint64_t before = atomic_fetch_add_explicit((_Atomic uint64_t *)&sum[0], (uint64_t)value, memory_order_relaxed);
    atomic_fetch_add_explicit((_Atomic uint64_t *)&sum[1],
                              (uint64_t) - (int64_t)(value < 0) + (before + (uint64_t)value < before),
                              memory_order_relaxed);
#endif
}

static inline void raise_to(uint64_t *high, uint64_t value)
{
    uint64_t now = atomic_load_explicit((_Atomic uint64_t *)high, memory_order_relaxed);
    while (value > now && !atomic_compare_exchange_weak_explicit((_Atomic uint64_t *)high, &now, value,
                                                                 memory_order_relaxed, memory_order_relaxed))
        continue;
}

/* The extremes of a tally both grow upwards from 0, so that zeroed memory needs no start value.
 * Partner: tally_add in report/merge/number.c, which turns them back. */
static inline void tally_low_take(struct pp_tally *t, int64_t value)
{
    raise_to(&t->low, (uint64_t)INT64_MAX - (uint64_t)value);
}
static inline void tally_high_take(struct pp_tally *t, int64_t value)
{
    raise_to(&t->high, (uint64_t)value - (uint64_t)INT64_MIN);
}

static __attribute__((noinline)) void value_watch(struct pp_thread *thread, struct pp_stage *stage, uint32_t id,
                                                  int64_t value)
{
    if (pp_on(PP_COLLECTOR_TIMELINE)) {
        int64_t sum = (int64_t)atomic_fetch_add_explicit(&known[id].sum, (uint64_t)value, memory_order_relaxed) + value;
        pp_timeline_read(thread, id, known[id].kind == PP_NUMBER_COUNT ? sum : value);
    }
    if (value > 0 && !strcmp(known[id].name, PP_ITEMS))
        pp_windows_add(&stage->windows[PP_WINDOW_ITEMS], pp_clock_ns() - pp_run.header->start_ns, (uint64_t)value);
}

void pp_number_add(struct pp_thread *thread, struct profplug_number *number, int64_t value)
{
    struct pp_private *p = pp_private(thread);
    uint64_t id = atomic_load_explicit((_Atomic uint64_t *)&number->id, memory_order_relaxed);
    if (PP_UNLIKELY(!id))
        id = number_find(number);
    struct pp_frame *frame = p->stage_top;
    struct pp_stage *stage =
        frame ? pp_node_stage((struct pp_node *)(uintptr_t)frame->node) : (struct pp_stage *)(p->stages + 1);
    struct pp_tallies *page = PP_LIKELY(id != NONE) ? page_find(thread, stage, (uint32_t)id) : NULL;
    if (PP_UNLIKELY(!page)) {
        pp_loss(PP_LOSS_NUMBERS, 1);
        return;
    }
    struct pp_tally *t = (struct pp_tally *)(page + 1) + ((uint32_t)id - page->first);
    sum_add(t->sum, value);
    tally_low_take(t, value);
    tally_high_take(t, value);
    word_add(&t->count, 1);
    if (PP_UNLIKELY(id >= WATCHED))
        value_watch(thread, stage, (uint32_t)id, value);
}
