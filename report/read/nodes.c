/* SPDX-License-Identifier: MIT */
/* nodes.c: see nodes.h. */
#include "read/nodes.h"

bool nodes_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_nodes head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "call tree nodes"))
        return false;
    uint64_t used = head.used < head.capacity ? head.used : head.capacity, end = (uint64_t)head.first + used;
    if (!rows_check(c, e, head.first, used, "call tree nodes"))
        return false;
    if (!used)
        return true;
    struct profile_block *b = &p->block[e->block];
    if (end > b->node_count) {
        if (!cursor_hold(c, e->offset, (end - b->node_count) * sizeof *b->node, "call tree nodes"))
            return false;
        b->node = array_extended(b->node, b->node_count, end, sizeof *b->node);
        b->node_count = (uint32_t)end;
    }
    if (!cursor_copy(c, b->node + head.first, e->offset + sizeof head, used * sizeof *b->node, "call tree nodes"))
        return false;
    for (uint64_t i = head.first; i < end; i++) {
        struct pp_node *n = &b->node[i];
        if (i && n->parent >= i)
            return cursor_fail(c, e->offset + sizeof head + (i - head.first) * sizeof *n,
                               "call tree node %llu with parent %u, expected an earlier one", (unsigned long long)i,
                               n->parent);
        n->number = (uint32_t)i;
        n->child = n->stage_or_timed_ns = 0;
    }
    return true;
}

static bool frame_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const struct pp_frame *frame = row->bytes;
    struct profile_block *b = &p->block[e->block];
    (void)c;
    if (frame->start_ns)
        *ARRAY_PUSH(b->frame, b->frame_count, b->frame_capacity) = *frame;
    return true;
}

bool frames_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_frames head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "open activations"))
        return false;
    if (!extent_fits(e, head.capacity))
        return cursor_fail(c, e->offset, "room for %u open activations, expected at most %llu", head.capacity,
                           (unsigned long long)extent_most(e));
    return rows_visit(c, p, e, head.capacity, "open activations", frame_take);
}
