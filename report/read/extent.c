/* SPDX-License-Identifier: MIT */
/* extent.c: reads extents in the right order, and has what all kinds have in common. See extent.h and extent.def. A
 * running program publishes while we read. References to what was published later become "unknown" (0). What can never
 * be right is an error. */
#include "read/extent.h"

#include <stdlib.h>

#include <profplug/abi/line.h>

#include "read/bookings.h"
#include "read/callsites.h"
#include "read/flow.h"
#include "read/nodes.h"
#include "read/records.h"
#include "read/samples.h"
#include "read/sites.h"
#include "read/snapshot.h"
#include "read/stages.h"
#include "read/tally.h"
#include "read/threads.h"

#define PIECE_BYTES ((size_t)64 << 10)

/* ---- rows ---- */

static const struct {
    size_t head, row;
} shape[PP_EXTENT_KIND_COUNT] = {
#define PP_EXTENT(kind, head, row, owner, many, fork) [PP_EXTENT_##kind] = { sizeof(head), sizeof(row) },
#include <profplug/abi/extent.def>
};

bool extent_fits(const struct extent *e, uint64_t count)
{
    return cursor_fits(e->size, shape[e->kind].head, count, shape[e->kind].row);
}

uint64_t extent_most(const struct extent *e) { return (e->size - shape[e->kind].head) / shape[e->kind].row; }

bool rows_check(struct cursor *c, const struct extent *e, uint64_t first, uint64_t used, const char *what)
{
    if (!extent_fits(e, used))
        return cursor_fail(c, e->offset, "%llu %s, expected at most %llu", (unsigned long long)used, what,
                           (unsigned long long)extent_most(e));
    uint64_t room = e->room / shape[e->kind].row;
    if (first + used > room)
        return cursor_fail(c, e->offset, "%s up to number %llu, expected below %llu", what,
                           (unsigned long long)(first + used), (unsigned long long)room);
    return true;
}

bool table_next(struct cursor *c, uint64_t offset, uint64_t next, uint64_t bytes, uint64_t room)
{
    if (!next || (next >= bytes && next <= room && next % 8 == 0))
        return true;
    return cursor_fail(c, offset, "a next table after %llu bytes, expected a multiple of 8 from %llu to %llu",
                       (unsigned long long)next, (unsigned long long)bytes, (unsigned long long)room);
}

bool rows_visit_from(struct cursor *c, struct profile *p, const struct extent *e, uint64_t first, uint64_t count,
                     const char *what, row_taker take)
{
    size_t size = shape[e->kind].row;
    uint64_t begin = e->offset + shape[e->kind].head, at = begin;
    unsigned char *piece = memory_zeroed(1, PIECE_BYTES);
    bool good = true;
    for (size_t bytes = 1; good && bytes; at += bytes) {
        good = cursor_piece(c, piece, PIECE_BYTES, &at, begin + count * size, size, &bytes, what);
        for (size_t i = 0; good && i < bytes; i += size)
            good = take(c, p, e, &(struct row){ first + (at + i - begin) / size, at + i, piece + i });
    }
    free(piece);
    return good;
}

bool rows_visit(struct cursor *c, struct profile *p, const struct extent *e, uint64_t count, const char *what,
                row_taker take)
{
    return rows_visit_from(c, p, e, 0, count, what, take);
}

struct profile_bucket *buckets_take(struct arena *arena, const uint64_t *histogram, uint32_t *count)
{
    *count = 0;
    for (uint32_t i = 0; i < PP_BUCKETS; i++)
        *count += histogram[i] != 0;
    struct profile_bucket *bucket = arena_take(arena, *count * sizeof *bucket), *to = bucket;
    for (uint32_t i = 0; i < PP_BUCKETS; i++)
        if (histogram[i])
            *to++ = (struct profile_bucket){ i, histogram[i] };
    return bucket;
}

/* ---- all of them ---- */

static bool extent_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    switch (e->kind) {
    case PP_EXTENT_RECORDS: return records_take(c, e, p);
    case PP_EXTENT_SITES: return sites_take(c, e, p);
    case PP_EXTENT_THREADS: return threads_take(c, e, p);
    case PP_EXTENT_COUNTERS: return counters_take(c, e, p);
    case PP_EXTENT_NODES: return nodes_take(c, e, p);
    case PP_EXTENT_STAGES: return stages_take(c, e, p);
    case PP_EXTENT_FRAMES: return frames_take(c, e, p);
    case PP_EXTENT_SAMPLES: return samples_take(c, e, p);
    case PP_EXTENT_BLOCKED: return blocked_take(c, e, p);
    case PP_EXTENT_PATHS: return paths_take(c, e, p);
    case PP_EXTENT_CALLSITES: return callsites_take(c, e, p);
    case PP_EXTENT_BLOCKS: return blocks_take(c, e, p);
    case PP_EXTENT_OPERATIONS: return operations_take(c, e, p);
    case PP_EXTENT_TALLIES: return tallies_take(c, e, p);
    case PP_EXTENT_TIMELINE: return events_take(c, e, p);
    case PP_EXTENT_SNAPSHOT: return snapshot_take(c, e, p);
    case PP_EXTENT_ANSWERS: return answers_take(c, e, p);
    case PP_EXTENT_LINES: return lines_take(c, e, p);
    case PP_EXTENT_HITS: return hits_take(c, e, p);
    case PP_EXTENT_THREAD: return thread_take(c, e, p);
    default: return true;
    }
}

/* References to what was published after the first look become "unknown". */
static void block_settle(struct profile_block *b)
{
    for (uint32_t i = 0; i < b->node_count; i++)
        if (b->node[i].stage >= b->stage_count)
            b->node[i].stage = 0;
    for (size_t i = 0; i < b->sample_count; i++) {
        if (b->sample[i].node >= b->node_count)
            b->sample[i].node = 0;
        if (b->sample[i].path >= b->path_count)
            b->sample[i].path = 0;
    }
    for (size_t i = 0; i < b->stall_count; i++) {
        if (b->stall[i].node >= b->node_count)
            b->stall[i].node = 0;
        if (b->stall[i].path >= b->path_count)
            b->stall[i].path = 0;
    }
    for (unsigned i = 0; i < PP_UNFINISHED; i++)
        if (b->unfinished[i].node >= b->node_count)
            b->unfinished[i].node = 0;
    for (size_t i = 0; i < b->frame_count; i++) {
        struct pp_frame *f = &b->frame[i];
        if (f->node_number >= b->node_count)
            f->node_number = 0;
        if (f->stage >= b->stage_count)
            f->stage = 0;
    }
    for (size_t i = 0; i < b->tally_count; i++)
        if (b->tally[i].stage >= b->stage_count)
            b->tally[i].stage = 0;
    for (size_t i = 0; i < b->event_count; i++)
        if (b->event[i].row.stage >= b->stage_count)
            b->event[i].row.stage = 0;
}

static bool kind_of_block(uint32_t kind)
{
    return kind == PP_EXTENT_THREAD || kind == PP_EXTENT_NODES || kind == PP_EXTENT_STAGES ||
           kind == PP_EXTENT_FRAMES || kind == PP_EXTENT_SAMPLES || kind == PP_EXTENT_BLOCKED ||
           kind == PP_EXTENT_PATHS || kind == PP_EXTENT_TALLIES || kind == PP_EXTENT_TIMELINE;
}

static int extents_by_block(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    return x->kind < y->kind ? -1 : x->kind > y->kind;
}

static int extents_by_offset(const void *a, const void *b)
{
    const struct extent *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

/* Makes the blocks by number. Tells each extent its block, and the total size of the block's extents of that kind. */
static void blocks_make(struct extents *list, struct profile *p)
{
    qsort(list->item, list->count, sizeof *list->item, extents_by_block);
    for (size_t i = 0, end; i < list->count; i = end) {
        uint64_t room = 0;
        for (end = i; end < list->count && extents_by_block(&list->item[i], &list->item[end]) == 0; end++)
            room += list->item[end].size;
        if (kind_of_block(list->item[i].kind) &&
            (!p->block_count || p->block[p->block_count - 1].id != list->item[i].thread))
            ARRAY_PUSH(p->block, p->block_count, p->block_capacity)->id = list->item[i].thread;
        for (size_t k = i; k < end; k++) {
            list->item[k].room = room;
            list->item[k].block = p->block_count ? p->block_count - 1 : 0;
        }
    }
    qsort(list->item, list->count, sizeof *list->item, extents_by_offset);
}

bool extents_take(struct cursor *c, struct extents *list, struct profile *p)
{
    /* Reads references first, then what they refer to, because a running program publishes in the opposite order. A
     * thread block says which calls have not returned. It comes after the tables where they are booked at their end,
     * so that none is in both. */
    static const uint32_t order[] = { PP_EXTENT_TIMELINE, PP_EXTENT_SNAPSHOT, PP_EXTENT_ANSWERS, PP_EXTENT_OPERATIONS,
                                      PP_EXTENT_BLOCKED,  PP_EXTENT_THREAD,   PP_EXTENT_BLOCKS,  PP_EXTENT_CALLSITES,
                                      PP_EXTENT_SAMPLES,  PP_EXTENT_PATHS,    PP_EXTENT_FRAMES,  PP_EXTENT_TALLIES,
                                      PP_EXTENT_COUNTERS, PP_EXTENT_NODES,    PP_EXTENT_STAGES,  PP_EXTENT_THREADS,
                                      PP_EXTENT_HITS,     PP_EXTENT_LINES,    PP_EXTENT_SITES,   PP_EXTENT_RECORDS };
    blocks_make(list, p);
    for (size_t k = 0; k < sizeof order / sizeof *order; k++)
        for (size_t i = 0; i < list->count; i++)
            if (list->item[i].kind == order[k] && !extent_take(c, &list->item[i], p))
                return false;
    sites_complete(p);
    counters_settle(p);
    for (size_t i = 0; i < p->block_count; i++)
        block_settle(&p->block[i]);
    for (size_t i = 0; i < p->operation_count; i++) {
        struct profile_operation *o = &p->operation[i];
        if (o->block == UINT32_MAX || o->stage >= p->block[o->block].stage_count)
            o->stage = 0;
    }
    return true;
}
