/* SPDX-License-Identifier: MIT */
/* holds.c: who held the locks that threads waited for, from rows of operations to lines. It must not know how a place
 * is named. See merge.h. */
#include <stdlib.h>

#include "merge/merge.h"

void holds_merge(struct model *model, const struct profile *profile)
{
    for (size_t i = 0; i < profile->operation_count; i++) {
        const struct profile_operation *o = &profile->operation[i];
        if (o->kind != PP_OPERATION_HELD)
            continue;
        uint32_t kind = PP_HELD_KIND(o->target), own = kind && kind <= PP_OPERATION_COUNT;
        *ARRAY_PUSH(model->hold, model->hold_count, model->hold_capacity) =
            (struct model_hold){ .point = o->point,
                                 .holder_point = PP_HELD_CALLSITE(o->target),
                                 .own_point = own ? (uint32_t)o->sum.sequential : 0,
                                 .own_kind = own ? (enum pp_operation_kind)(kind - 1) : PP_OPERATION_LOCK,
                                 .waits = o->sum.timed,
                                 .wait_ns = o->sum.wall_ns,
                                 .most_ns = o->sum.most_ns,
                                 .own_ns = !own                              ? 0
                                           : o->sum.wait_ns < o->sum.wall_ns ? o->sum.wait_ns
                                                                             : o->sum.wall_ns };
    }
}

void holds_settle(struct model *model, const uint32_t *point_of, uint32_t most)
{
    for (size_t i = 0; i < model->hold_count; i++) {
        struct model_hold *h = &model->hold[i];
        h->point = h->point <= most ? point_of[h->point] : 0;
        h->holder_point = h->holder_point <= most ? point_of[h->holder_point] : 0;
        h->own_point = h->own_point <= most ? point_of[h->own_point] : 0;
    }
}

static void place_find(const struct model *model, const struct locations *where, uint32_t point, uint32_t *line,
                       uint32_t *function)
{
    const struct locate_step *step = model->point[point].known ? locations_user_of_point(model, where, point) : NULL;
    *line = step ? step->line : MODEL_NONE;
    *function = step ? step->function : MODEL_NONE;
}

static int by_wait(const void *a, const void *b)
{
    const struct model_hold *x = a, *y = b;
    return x->wait_ns != y->wait_ns           ? (x->wait_ns < y->wait_ns ? 1 : -1)
           : x->line != y->line               ? (x->line < y->line ? -1 : 1)
           : x->holder_line != y->holder_line ? (x->holder_line < y->holder_line ? -1 : 1)
                                              : 0;
}

void holds_sum(struct model *model, const struct locations *where)
{
    struct map seen = { 0 };
    uint64_t *most_own = memory_zeroed(model->hold_count, sizeof *most_own);
    size_t kept = 0;
    for (size_t i = 0; i < model->hold_count; i++) {
        struct model_hold h = model->hold[i];
        uint32_t unused;
        place_find(model, where, h.point, &h.line, &h.function);
        place_find(model, where, h.holder_point, &h.holder_line, &h.holder_function);
        place_find(model, where, h.own_point, &h.own_line, &unused);
        uint32_t key[] = { h.line, h.function, h.holder_line, h.holder_function };
        uint32_t *found = map_at(&seen, key, sizeof key);
        if (*found == MAP_FRESH) {
            *found = (uint32_t)kept;
            most_own[kept] = h.own_ns;
            model->hold[kept++] = h;
            continue;
        }
        struct model_hold *to = &model->hold[*found];
        to->waits += h.waits;
        to->wait_ns += h.wait_ns;
        to->own_ns += h.own_ns;
        to->most_ns = h.most_ns > to->most_ns ? h.most_ns : to->most_ns;
        if (h.own_ns > most_own[*found]) {
            most_own[*found] = h.own_ns;
            to->own_kind = h.own_kind;
            to->own_line = h.own_line;
        }
    }
    model->hold_count = kept;
    if (kept)
        qsort(model->hold, kept, sizeof *model->hold, by_wait);
    map_free(&seen);
    free(most_own);
}
