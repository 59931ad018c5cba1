/* SPDX-License-Identifier: MIT */
/* stages.c: see stages.h. */
#include "read/stages.h"

#include <stdlib.h>

#include "read/tally.h"

/* The sum of squares minus the square of the sum divided by the count. It is never negative, whatever a corrupt file
 * contains. */
static void stage_moments(struct profile_stage *to, const struct pp_stage *s)
{
    if (!s->timed_calls)
        return;
    unsigned __int128 squares = words_join(s->squares_ns2);
    unsigned __int128 mean_part = (unsigned __int128)s->timed_ns * s->timed_ns / s->timed_calls;
    to->mean_ns = (double)s->timed_ns / (double)s->timed_calls;
    to->m2_ns2 = squares > mean_part ? (double)(squares - mean_part) : 0;
}

static bool stage_take(struct cursor *c, struct profile *p, struct profile_stage *to, uint64_t number, uint64_t offset,
                       struct pp_stage *s)
{
    if (!cursor_copy(c, s, offset, sizeof *s, "a stage"))
        return false;
    if (number && s->parent >= number)
        return cursor_fail(c, offset, "stage %llu with parent %u, expected an earlier one", (unsigned long long)number,
                           s->parent);
    if (s->kind >= PP_SITE_KIND_COUNT)
        return cursor_fail(c, offset, "stage %llu of kind %u, expected below %u", (unsigned long long)number, s->kind,
                           PP_SITE_KIND_COUNT);
    *to = (struct profile_stage){ .key = s->key,
                                  .kind = s->kind,
                                  .parent = s->parent,
                                  .number = (uint32_t)number,
                                  .active = s->active,
                                  .calls = s->calls,
                                  .timed_calls = s->timed_calls,
                                  .wall_ns = s->wall_ns,
                                  .self_ns = s->self_ns,
                                  .min_ns = s->min_ns == UINT64_MAX ? 0 : s->min_ns,
                                  .max_ns = s->max_ns,
                                  .timed_ns = s->timed_ns,
                                  .squares_ns2 = { s->squares_ns2[0], s->squares_ns2[1] },
                                  .outer_calls = s->outer_calls,
                                  .loop_runs = s->loop_runs,
                                  .trips_min = s->trips_min,
                                  .trips_max = s->trips_max,
                                  .sampled_calls = s->sampled_calls,
                                  .sampled_for = s->sampled_for,
                                  .sampled_wall_ns = s->sampled_wall_ns };
    if (!windows_check(c, s->windows, offset))
        return false;
    memcpy(to->windows, s->windows, sizeof to->windows);
    to->growth = s->growth;
    stage_moments(to, s);
    memcpy(to->metric, s->metric, sizeof to->metric);
    memcpy(to->entered, s->entered, sizeof to->entered);
    memcpy(to->level_ns, s->level_ns, sizeof to->level_ns);
    memcpy(to->slowest, s->slowest, sizeof to->slowest);
    to->bucket = buckets_take(&p->arena, s->histogram, &to->bucket_count);
    return true;
}

bool stages_take(struct cursor *c, const struct extent *e, struct profile *p)
{
    struct pp_stages head;
    if (!cursor_copy(c, &head, e->offset, sizeof head, "stages"))
        return false;
    uint64_t used = head.used < head.capacity ? head.used : head.capacity, end = (uint64_t)head.first + used;
    if (!rows_check(c, e, head.first, used, "stages"))
        return false;
    if (!used)
        return true;
    struct profile_block *b = &p->block[e->block];
    if (end > b->stage_count) {
        if (!cursor_hold(c, e->offset, (end - b->stage_count) * sizeof *b->stage, "stages"))
            return false;
        b->stage = array_extended(b->stage, b->stage_count, end, sizeof *b->stage);
        b->stage_count = (uint32_t)end;
    }
    struct pp_stage *s = memory_zeroed(1, sizeof *s);
    bool good = true;
    for (uint64_t i = head.first; good && i < end; i++)
        good = stage_take(c, p, &b->stage[i], i, e->offset + sizeof head + (i - head.first) * sizeof *s, s);
    free(s);
    return good;
}
