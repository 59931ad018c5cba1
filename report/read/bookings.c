/* SPDX-License-Identifier: MIT */
/* bookings.c: see bookings.h. */
#include "read/bookings.h"

#include <stdlib.h>

static bool operation_take(struct cursor *c, struct profile *p, const struct extent *e, const struct row *row)
{
    const struct pp_operation *sum = row->bytes;
    bool owned = p->block_count && p->block[e->block].id == e->thread;
    if (!sum->key || !(sum->timed + sum->untimed))
        return true;
    if (PP_OPERATION_KIND(sum->key) >= PP_OPERATION_COUNT)
        return cursor_fail(c, row->offset, "an operation of kind %u, expected below %u", PP_OPERATION_KIND(sum->key),
                           PP_OPERATION_COUNT);
    *ARRAY_PUSH(p->operation, p->operation_count, p->operation_capacity) =
        (struct profile_operation){ owned ? (uint32_t)e->block : UINT32_MAX,
                                    PP_OPERATION_KIND(sum->key),
                                    PP_OPERATION_STAGE(sum->key),
                                    PP_OPERATION_POINT(sum->key),
                                    PP_OPERATION_TARGET(sum->key),
                                    *sum };
    return true;
}

bool operations_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_operations head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "operations"))
        return false;
    if (!extent_fits(e, head.capacity))
        return cursor_fail(c, e->offset, "room for %u operations, expected at most %llu", head.capacity,
                           (unsigned long long)extent_most(e));
    return rows_visit(c, p, e, head.capacity, "operations", operation_take);
}

bool answers_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    if (e->size < sizeof(struct pp_answers))
        return cursor_fail(c, e->offset, "answers of %llu bytes, expected at least %zu", (unsigned long long)e->size,
                           sizeof(struct pp_answers));
    struct pp_answers *from = memory_zeroed(1, sizeof *from);
    bool good = cursor_copy(c, from, e->offset, sizeof *from, "answers");
    if (good) {
        struct profile_answers *to = ARRAY_PUSH(p->answers, p->answers_count, p->answers_capacity);
        *to = (struct profile_answers){ .target = from->target, .kind = from->kind };
        to->bucket = buckets_take(&p->arena, from->histogram, &to->bucket_count);
    }
    free(from);
    return good;
}
