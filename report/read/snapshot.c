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

/* ---- timelines ---- */

/* The program may write a table while it is read. So what it may have written meanwhile is dropped: the rows that
 * were given in turn since the first look. */
struct ring {
    uint64_t first, rows; /* its place in the table, and its length */
};

static struct ring ring_of(const struct pp_timeline *head)
{
    uint64_t first = PP_TIMELINE_FIRST + PP_TIMELINE_SLOWEST;
    return (struct ring){ first, head->capacity - first };
}

static bool event_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    struct profile_block *b = &p->block[e->block];
    struct profile_event event = { .place = row->index };
    memcpy(&event.row, row->bytes, sizeof event.row);
    if (!event.row.start_ns)
        return true;
    if (event.row.operation >= PP_OPERATION_COUNT || event.row.what > UINT16_MAX)
        return cursor_fail(c, row->offset, "an event of operation %u and number %u, expected below %u and %u",
                           event.row.operation, event.row.what, PP_OPERATION_COUNT, UINT16_MAX + 1);
    *ARRAY_PUSH(b->event, b->event_count, b->event_capacity) = event;
    return true;
}

/* Of the rows from `from` on, keeps those that were not written between the two looks. */
static void written_drop(struct profile_block *b, size_t from, const struct pp_timeline *before,
                         const struct pp_timeline *after)
{
    struct ring ring = ring_of(before);
    uint64_t written = after->placed - before->placed, next = before->placed - PP_TIMELINE_FIRST;
    size_t kept = from;
    if (!written || before->kind == PP_TIMELINE_VALUES || after->placed < ring.first)
        return;
    for (size_t i = from; i < b->event_count; i++) {
        uint64_t place = b->event[i].place;
        if (place < ring.first || (place - ring.first + ring.rows - next % ring.rows) % ring.rows >= written)
            b->event[kept++] = b->event[i];
    }
    b->event_count = kept;
}

bool events_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_timeline head, after;
    struct profile_block *b = &p->block[e->block];
    size_t from = b->event_count;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "a timeline"))
        return false;
    if (head.kind >= PP_TIMELINE_KIND_COUNT)
        return cursor_fail(c, e->offset, "a timeline of kind %u, expected below %u", head.kind, PP_TIMELINE_KIND_COUNT);
    if (!extent_fits(e, head.capacity) || head.capacity <= PP_TIMELINE_FIRST + PP_TIMELINE_SLOWEST)
        return cursor_fail(c, e->offset, "a timeline of %u rows, expected %u to %llu", head.capacity,
                           PP_TIMELINE_FIRST + PP_TIMELINE_SLOWEST + 1, (unsigned long long)extent_most(e));
    if (!rows_visit(c, p, e, head.capacity, "a timeline", event_take) ||
        !cursor_copy(c, &after, e->offset, sizeof after, "a timeline"))
        return false;
    for (size_t i = from; i < b->event_count; i++)
        b->event[i].kind = (enum pp_timeline_kind)head.kind;
    written_drop(b, from, &head, &after);
    b->seen[head.kind] += head.seen > b->event_count - from ? head.seen : b->event_count - from;
    return true;
}
