/* SPDX-License-Identifier: MIT */
/* callsites.c: see callsites.h. */
#include "read/callsites.h"

static bool callsite_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const struct pp_callsite *callsite = row->bytes;
    (void)e;
    if (callsite->known && callsite->kind >= PP_CALLSITE_KIND_COUNT)
        return cursor_fail(c, row->offset, "point %u of kind %u, expected below %u", (uint32_t)row->index,
                           callsite->kind, PP_CALLSITE_KIND_COUNT);
    if (callsite->known && callsite->outer >= row->index && callsite->outer)
        return cursor_fail(c, row->offset, "point %u called by %u, expected a number below its own",
                           (uint32_t)row->index, callsite->outer);
    if (callsite->known)
        *ARRAY_PUSH(p->point, p->point_count, p->point_capacity) =
            (struct profile_point){ (uint32_t)row->index, *callsite };
    return true;
}

bool callsites_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_callsites head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "points of the heap") ||
        !rows_check(c, e, head.first, head.capacity, "points of the heap"))
        return false;
    if (head.first == 0)
        p->has_peak = head.peak_turn && !(head.peak_turn & 1);
    return rows_visit_from(c, p, e, head.first, head.capacity, "points of the heap", callsite_take);
}

static bool block_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const struct pp_block *sum = row->bytes;
    (void)c, (void)e;
    if (sum->alloc_blocks || sum->free_blocks || sum->free_bytes || sum->peak_blocks || sum->peak_bytes)
        *ARRAY_PUSH(p->blocks, p->blocks_count, p->blocks_capacity) =
            (struct profile_blocks){ (uint32_t)row->index, *sum };
    return true;
}

bool blocks_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_blocks head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "blocks of the heap"))
        return false;
    if (!extent_fits(e, head.count) || head.first > UINT32_MAX - head.count)
        return cursor_fail(c, e->offset, "blocks of the heap at %u points from %u, expected at most %llu", head.count,
                           head.first, (unsigned long long)extent_most(e));
    return rows_visit_from(c, p, e, head.first, head.count, "blocks of the heap", block_take);
}
