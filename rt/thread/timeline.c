/* SPDX-License-Identifier: MIT */
/* timeline.c: see timeline.h, and TIMELINE in format.h. It must not know what ended, nor what a number counts.
 *
 * A table is filled by its thread and by handlers that interrupt it. Each takes a place by one addition. Its row is
 * valid once start_ns is stored, last. What a handler writes while the slowest are sorted out may be lost, and is
 * counted, since what is there is less than what was seen. */
#define _GNU_SOURCE
#include "thread/timeline.h"
#include "file/datafile.h"
#include "system/clock.h"
#include "system/state.h"
#include <errno.h>
#include <stddef.h>
#include <string.h>

static struct pp_event *row_at(struct pp_timeline *t, uint64_t place) { return (struct pp_event *)(t + 1) + place; }

/* The thread's table of that kind; NULL: there is no room. Tables outside the file have no reader. */
static struct pp_timeline *table_get(struct pp_thread *thread, enum pp_timeline_kind kind)
{
    uint64_t *word = &pp_private(thread)->timeline[kind];
    struct pp_extent extent;
    if (PP_UNLIKELY(!*word)) {
        int kept = errno;
        *word = 1; /* a handler meanwhile records nothing */
        if (pp_extent_claim(&extent, PP_TIMELINE_BYTES) && extent.offset) {
            struct pp_timeline *t = extent.address;
            t->kind = kind;
            t->capacity = (uint32_t)((PP_TIMELINE_BYTES - sizeof *t) / sizeof(struct pp_event));
            pp_extent_publish(&extent, PP_EXTENT_TIMELINE, thread->id);
            *word = (uint64_t)(uintptr_t)t;
        }
        errno = kept;
    }
    return *word > 1 ? (struct pp_timeline *)(uintptr_t)*word : NULL;
}

static void row_set(struct pp_event *row, const struct pp_event *event)
{
    atomic_store_explicit((_Atomic uint64_t *)&row->start_ns, 0, memory_order_relaxed);
    atomic_thread_fence(memory_order_release); /* partner: a reader; what follows is no more the row of before */
    memcpy(&row->wall_ns, &event->wall_ns, sizeof *row - offsetof(struct pp_event, wall_ns));
    atomic_store_explicit((_Atomic uint64_t *)&row->start_ns, event->start_ns, memory_order_release);
}

/* A row of the last ones has to go: it takes the place of the shortest of the slowest, if it took longer. */
static void slowest_keep(struct pp_timeline *t, const struct pp_event *gone)
{
    struct pp_event *least = row_at(t, PP_TIMELINE_FIRST);
    if (gone->wall_ns <= t->slowest_least_ns)
        return;
    for (uint64_t i = 1; i < PP_TIMELINE_SLOWEST; i++)
        if (row_at(t, PP_TIMELINE_FIRST + i)->wall_ns < least->wall_ns)
            least = row_at(t, PP_TIMELINE_FIRST + i);
    t->slowest_least_ns = least->wall_ns;
    if (gone->wall_ns > least->wall_ns)
        row_set(least, gone);
}

void pp_timeline_add(struct pp_thread *thread, enum pp_timeline_kind kind, struct pp_event event, uint64_t times)
{
    struct pp_timeline *t = table_get(thread, kind);
    if (!t)
        return;
    event.start_ns -= pp_run.header->start_ns - 1;
    event.thread = thread->row;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&t->seen, times, memory_order_relaxed);
    uint64_t place = atomic_fetch_add_explicit((_Atomic uint64_t *)&t->placed, 1, memory_order_relaxed);
    if (place >= PP_TIMELINE_FIRST) {
        uint64_t last = t->capacity - PP_TIMELINE_FIRST - PP_TIMELINE_SLOWEST;
        place = PP_TIMELINE_FIRST + PP_TIMELINE_SLOWEST + (place - PP_TIMELINE_FIRST) % last;
        slowest_keep(t, row_at(t, place));
    }
    row_set(row_at(t, place), &event);
}

/* ---- values ---- */

/* Keeps of each number the values that are far enough apart, by twice the interval of before or more. */
static void thin(struct pp_timeline *t, uint64_t now_ns)
{
    uint64_t kept = t->placed;
    while (kept > t->capacity / 2) {
        t->interval_ns = t->interval_ns ? t->interval_ns * 2 : (now_ns - row_at(t, 0)->start_ns) / t->capacity + 1;
        memset(t->last_ns, 0, sizeof t->last_ns);
        uint64_t count = kept;
        kept = 0;
        for (uint64_t i = 0; i < count; i++) {
            struct pp_event row = *row_at(t, i);
            uint64_t *last = &t->last_ns[row.what % PP_TIMELINE_NUMBERS];
            if (*last && row.start_ns - *last < t->interval_ns)
                continue;
            *last = row.start_ns;
            row_set(row_at(t, kept++), &row);
        }
    }
    memset(row_at(t, kept), 0, (t->placed - kept) * sizeof(struct pp_event));
    t->placed = kept;
}

void pp_timeline_read(struct pp_thread *thread, uint32_t number, int64_t value)
{
    struct pp_timeline *t = table_get(thread, PP_TIMELINE_VALUES);
    if (!t)
        return;
    uint64_t now_ns = pp_clock_ns() - pp_run.header->start_ns + 1, *last = &t->last_ns[number % PP_TIMELINE_NUMBERS];
    t->seen++;
    if (t->busy || (*last && now_ns - *last < t->interval_ns))
        return;
    t->busy = 1; /* a handler's value is let go */
    atomic_signal_fence(memory_order_seq_cst);
    if (t->placed >= t->capacity)
        thin(t, now_ns);
    *last = now_ns;
    row_set(row_at(t, t->placed),
            &(struct pp_event){ .start_ns = now_ns, .value = (uint64_t)value, .thread = thread->row, .what = number });
    t->placed++;
    atomic_signal_fence(memory_order_seq_cst);
    t->busy = 0;
}
