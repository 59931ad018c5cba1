/* SPDX-License-Identifier: MIT */
/* snapshot.c: see snapshot.h. */
#include "read/snapshot.h"

bool snapshot_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_snapshot head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a snapshot"))
        return false;
    uint64_t stages = (uint64_t)head.stage_count * sizeof(struct pp_moment),
             points = (uint64_t)head.point_count * sizeof(struct pp_stock);
    if (!cursor_fits(e->size, sizeof head, stages + points, 1))
        return cursor_fail(c, e->offset, "a snapshot of %u stages and %u points, expected them within %llu bytes",
                           head.stage_count, head.point_count, (unsigned long long)e->size);
    if (!cursor_hold(c, e->offset, stages + points, "a snapshot"))
        return false;
    struct profile_snapshot *s = ARRAY_PUSH(p->snapshot, p->snapshot_count, p->snapshot_capacity);
    s->head = head;
    s->head.label[sizeof s->head.label - 1] = 0;
    s->stage = arena_take(&p->arena, stages + 1);
    s->point = arena_take(&p->arena, points + 1);
    if (!cursor_copy(c, s->stage, e->offset + sizeof head, stages, "a snapshot's stages") ||
        !cursor_copy(c, s->point, e->offset + sizeof head + stages, points, "a snapshot's points"))
        return false;
    for (uint32_t i = 1; i < head.stage_count; i++)
        if (s->stage[i].parent >= i)
            return cursor_fail(c, e->offset + sizeof head + i * sizeof *s->stage,
                               "stage %u of a snapshot with parent %u, expected an earlier one", i, s->stage[i].parent);
    return true;
}
