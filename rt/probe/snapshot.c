/* SPDX-License-Identifier: MIT */
/* snapshot.c: records the state when the program asks for it: the heap by callsites, the stages, and the process's
 * memory and CPU time. It must not know what is compared later.
 *
 * No lock: other threads continue, and their numbers are read while they change. A snapshot is one extent, which is
 * published once it is complete. */
#define _GNU_SOURCE
#include "probe/snapshot.h"
#include "file/datafile.h"
#include "metric/cpu.h"
#include "metric/io.h"
#include "probe/stage.h"
#include "stack/callsite.h"
#include "system/clock.h"
#include "system/state.h"
#include "thread/thread.h"
#include <errno.h>
#include <string.h>

#define STAGES_OF_THREAD 1024u /* STAGES_LIMIT of stage.c */
#define ROOM_MORE 16u          /* for stages that the thread with most stages does not have */

static _Atomic uint32_t asked;

void pp_snapshots_fork_child(void) { atomic_store_explicit(&asked, 0, memory_order_relaxed); }

/* ---- the process ---- */

static void process_take(struct pp_snapshot *s)
{
    s->rss_bytes = pp_resident_bytes(pp_thread_self());
    if (s->rss_bytes)
        s->flags |= PP_SNAPSHOT_RSS;
    if (pp_cpu_used(&s->cpu_ns))
        s->flags |= PP_SNAPSHOT_CPU;
    if (!(pp_run.header->metrics_measured >> PP_METRIC_ALLOC_BYTES & 1))
        return;
    s->flags |= PP_SNAPSHOT_HEAP;
    for (uint32_t id = 1; id <= pp_thread_count(); id++) {
        struct pp_thread *thread = pp_thread_at(id);
        if (!thread)
            continue;
        uint64_t sums[4];
        pp_heap_sums(&pp_private(thread)->heap, sums);
        s->alloc_bytes += sums[0];
        s->alloc_blocks += sums[1];
        s->free_bytes += sums[2];
        s->free_blocks += sums[3];
    }
}

/* ---- stages ---- */

/* The index of the stage's row, which is added if there is room; UINT32_MAX: there is none. */
static uint32_t moment_find(struct pp_moment *row, uint32_t *count, uint32_t room, const struct pp_stage *s,
                            uint32_t parent)
{
    if (!s->number)
        return 0;
    for (uint32_t i = 1; i < *count; i++)
        if (row[i].key == s->key && row[i].kind == s->kind && row[i].parent == parent)
            return i;
    if (*count == room)
        return UINT32_MAX;
    row[*count].key = s->key;
    row[*count].kind = s->kind;
    row[*count].parent = parent;
    return (*count)++;
}

static void moment_add(struct pp_moment *row, const struct pp_stage *s)
{
    row->calls += s->calls > s->active ? s->calls - s->active : 0; /* those that ended, as in their times and bytes */
    row->wall_ns += s->wall_ns;
    row->outer_calls += s->outer_calls;
    row->sampled_for += s->sampled_for;
    for (uint32_t i = 0; i < PP_METRIC_COUNT; i++)
        row->metric[i] += s->metric[i]; /* a sum of metrics that fold LEVEL means nothing, and nobody reads it */
}

/* Adds up the stages of all threads, by key and enclosing stage. Each thread numbers its stages by itself. */
static uint32_t stages_take(struct pp_moment *row, uint32_t room)
{
    uint32_t count = 1, lost = 0;
    for (uint32_t id = 1; id <= pp_thread_count(); id++) {
        struct pp_thread *thread = pp_thread_at(id);
        uint16_t place[STAGES_OF_THREAD];
        for (struct pp_stages *c = thread ? pp_private(thread)->stages : NULL; c; c = pp_stages_next(c)) {
            uint32_t used = atomic_load_explicit((_Atomic uint32_t *)&c->used, memory_order_acquire);
            for (uint32_t i = 0; i < used && c->first + i < STAGES_OF_THREAD; i++) {
                const struct pp_stage *s = (const struct pp_stage *)(c + 1) + i;
                uint32_t parent = s->number ? place[s->parent] : 0;
                uint32_t at = parent == UINT16_MAX ? UINT32_MAX : moment_find(row, &count, room, s, parent);
                place[s->number] = (uint16_t)at;
                if (at == UINT32_MAX)
                    lost++;
                else
                    moment_add(&row[at], s);
            }
        }
    }
    if (lost)
        pp_loss(PP_LOSS_SNAPSHOTS, lost);
    return count;
}

static uint32_t stages_room(void)
{
    uint32_t most = 0;
    for (uint32_t id = 1; id <= pp_thread_count(); id++) {
        struct pp_thread *thread = pp_thread_at(id);
        uint32_t count =
            thread ? atomic_load_explicit((_Atomic uint32_t *)&pp_private(thread)->stage_count, memory_order_relaxed)
                   : 0;
        most = count > most ? count : most;
    }
    return most * 2 + ROOM_MORE;
}

/* ---- callsites ---- */

static uint32_t points_take(struct pp_stock *row, uint32_t room)
{
    uint32_t count = 0;
    for (uint32_t number = 0; number < room; number++) {
        struct pp_block sum;
        if (pp_callsite_sum(number, &sum))
            row[count++] =
                (struct pp_stock){ number, sum.alloc_blocks, sum.alloc_bytes, sum.free_blocks, sum.free_bytes };
    }
    return count;
}

void pp_snapshot_take(const char *label)
{
    uint32_t number = atomic_fetch_add_explicit(&asked, 1, memory_order_relaxed) + 1;
    uint32_t stages = stages_room(), points = pp_callsites_count();
    struct pp_extent extent;
    int saved_errno = errno;
    if (number > PP_SNAPSHOTS ||
        !pp_extent_claim(&extent, sizeof(struct pp_snapshot) + (uint64_t)stages * sizeof(struct pp_moment) +
                                      (uint64_t)points * sizeof(struct pp_stock))) {
        pp_loss(PP_LOSS_SNAPSHOTS, 1);
        errno = saved_errno;
        return;
    }
    struct pp_snapshot *s = extent.address;
    uint64_t begun = pp_now_ns();
    s->number = number;
    s->at_ns = begun - pp_run.header->start_ns;
    memcpy(s->label, label ? label : "", label ? strnlen(label, sizeof s->label - 1) : 0);
    process_take(s);
    if (s->flags & PP_SNAPSHOT_HEAP && pp_on(PP_COLLECTOR_BLOCKS))
        s->flags |= PP_SNAPSHOT_POINTS;
    s->stage_count = stages_take((struct pp_moment *)(s + 1), stages);
    s->point_count = points_take((struct pp_stock *)((struct pp_moment *)(s + 1) + s->stage_count), points);
    s->took_ns = pp_now_ns() - begun;
    pp_extent_publish(&extent, PP_EXTENT_SNAPSHOT, PP_EXTENT_LEFT);
    errno = saved_errno;
}
