/* SPDX-License-Identifier: MIT */
/* samples.c: see samples.h. */
#include "read/samples.h"

static bool sample_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const struct pp_sample *sample = row->bytes;
    struct profile_block *b = &p->block[e->block];
    (void)c;
    if (sample->count || sample->faults & PP_SAMPLE_FAULTS)
        *ARRAY_PUSH(b->sample, b->sample_count, b->sample_capacity) = *sample;
    return true;
}

bool samples_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_samples head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a sample table"))
        return false;
    if (!extent_fits(e, head.capacity))
        return cursor_fail(c, e->offset, "room for %u samples, expected at most %llu", head.capacity,
                           (unsigned long long)extent_most(e));
    return rows_visit(c, p, e, head.capacity, "a sample table", sample_take);
}

static bool blocked_path_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const struct pp_blocked_path *blocked = row->bytes;
    struct profile_block *b = &p->block[e->block];
    if (blocked->count && blocked->kind >= PP_OPERATION_COUNT)
        return cursor_fail(c, row->offset, "a wait of kind %u, expected below %u", blocked->kind, PP_OPERATION_COUNT);
    if (blocked->count)
        *ARRAY_PUSH(b->stall, b->stall_count, b->stall_capacity) = *blocked;
    return true;
}

bool blocked_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_blocked_table head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "waits by their calls"))
        return false;
    if (!extent_fits(e, head.capacity))
        return cursor_fail(c, e->offset, "room for %u waits by their calls, expected at most %llu", head.capacity,
                           (unsigned long long)extent_most(e));
    return rows_visit(c, p, e, head.capacity, "waits by their calls", blocked_path_take);
}

bool paths_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_paths head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "call paths"))
        return false;
    uint64_t used = head.used < head.capacity ? head.used : head.capacity, end = (uint64_t)head.first + used;
    if (!rows_check(c, e, head.first, used, "call paths"))
        return false;
    if (!used)
        return true;
    struct profile_block *b = &p->block[e->block];
    if (end > b->path_count) {
        if (!cursor_hold(c, e->offset, (end - b->path_count) * sizeof *b->path, "call paths"))
            return false;
        b->path = array_extended(b->path, b->path_count, end, sizeof *b->path);
        b->path_count = (uint32_t)end;
    }
    if (!cursor_copy(c, b->path + head.first, e->offset + sizeof head, used * sizeof *b->path, "call paths"))
        return false;
    for (uint64_t i = head.first; i < end; i++) {
        const struct pp_path *path = &b->path[i];
        uint64_t offset = e->offset + sizeof head + (i - head.first) * sizeof *path;
        if (i && path->parent >= i)
            return cursor_fail(c, offset, "call path %llu with parent %u, expected an earlier one",
                               (unsigned long long)i, path->parent);
        if (path->end >= PP_PATH_END_COUNT)
            return cursor_fail(c, offset, "call path %llu with end %u, expected below %u", (unsigned long long)i,
                               path->end, PP_PATH_END_COUNT);
    }
    return true;
}
