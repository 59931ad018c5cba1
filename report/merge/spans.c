/* SPDX-License-Identifier: MIT */
/* spans.c: what was kept of when things happened, as one timeline of the process. It must not know how a place is
 * named. See merge.h.
 *
 * Each stage's own slowest activations are known beside the tables, and what was open is in the stack of frames and
 * among the calls that have not returned. So a stage that was entered seldom is there, however much ran in it. */
#include <stdlib.h>

#include "merge/merge.h"

enum collector {
#define PP_COLLECTOR(id, key, level, available, help) COLLECTOR_##id,
#include <profplug/abi/options.def>
};

struct spans {
    struct model *model;
    const struct profile *profile;
    const struct profile_block *block;
    const uint32_t *stage_of;
    const uint32_t *thread_of; /* by row: index in the model */
    struct map seen;           /* activations of the block: number of the stage, index */
};

static uint64_t above(uint64_t a, uint64_t b) { return a > b ? a - b : 0; }

static uint32_t thread_of(const struct spans *s, uint32_t row)
{
    return row < s->profile->thread_count ? s->thread_of[row] : MODEL_NONE;
}

static struct model_span *span_add(struct spans *s, struct model_span span)
{
    struct model_timeline *t = &s->model->timeline;
    struct model_span *made = ARRAY_PUSH(t->span, t->span_count, t->span_capacity);
    *made = span;
    made->line = made->function = MODEL_NONE;
    return made;
}

static bool activation_is_new(struct spans *s, uint32_t stage, uint64_t index, uint64_t start_ns)
{
    uint64_t key[] = { stage, index, start_ns };
    uint32_t *found = map_at(&s->seen, key, sizeof key);
    bool is_new = *found == MAP_FRESH;
    *found = 0;
    return is_new;
}

static enum span_kind kind_of(const struct spans *s, uint32_t stage)
{
    return s->block->stage[stage].kind == PP_SITE_ITERATION ? SPAN_ITERATION : SPAN_STAGE;
}

static void activation_add(struct spans *s, uint32_t stage, struct model_span span)
{
    if (!stage || stage >= s->block->stage_count || s->stage_of[stage] == MODEL_NONE)
        return;
    span.kind = kind_of(s, stage);
    span.stage = s->stage_of[stage];
    if (activation_is_new(s, stage, span.index, span.start_ns))
        span_add(s, span);
}

static void events_add(struct spans *s)
{
    struct model_timeline *t = &s->model->timeline;
    for (size_t i = 0; i < s->block->event_count; i++) {
        const struct profile_event *from = &s->block->event[i];
        const struct pp_event *e = &from->row;
        struct model_span span = { .start_ns = e->start_ns - 1,
                                   .wall_ns = e->wall_ns,
                                   .thread = thread_of(s, e->thread),
                                   .live_bytes = e->live_bytes };
        if (from->kind == PP_TIMELINE_STAGES) {
            span.index = e->value;
            activation_add(s, e->stage, span);
        } else if (from->kind == PP_TIMELINE_WAITS) {
            span.kind = SPAN_WAIT;
            span.stage = e->stage < s->block->stage_count ? s->stage_of[e->stage] : MODEL_NONE;
            span.operation = (enum pp_operation_kind)e->operation;
            span.point = e->what;
            span_add(s, span);
        } else {
            *ARRAY_PUSH(t->reading, t->reading_count, t->reading_capacity) =
                (struct model_reading){ span.start_ns, (int64_t)e->value, number_of(s->model, s->profile, e->what),
                                        span.thread };
        }
    }
}

/* The thread that had the block at that time. */
static uint32_t owner_at(const struct spans *s, uint64_t at_ns)
{
    uint64_t now_ns = s->profile->header.start_ns + at_ns;
    for (uint32_t i = 0; i < s->profile->thread_count; i++) {
        const struct pp_thread_row *row = &s->profile->thread[i];
        if (row->block == s->block->id && row->start_ns <= now_ns && (!row->end_ns || now_ns <= row->end_ns))
            return thread_of(s, i);
    }
    return thread_of(s, s->block->row);
}

static void slowest_add(struct spans *s)
{
    for (uint32_t i = 1; i < s->block->stage_count; i++)
        for (unsigned k = 0; k < PP_SLOWEST; k++) {
            const struct pp_slow *slow = &s->block->stage[i].slowest[k];
            if (slow->wall_ns)
                activation_add(s, i,
                               (struct model_span){ .start_ns = slow->start_ns,
                                                    .wall_ns = slow->wall_ns,
                                                    .index = slow->index,
                                                    .thread = owner_at(s, slow->start_ns) });
        }
}

static void open_add(struct spans *s)
{
    const struct profile_block *b = s->block;
    uint64_t start_ns = s->profile->header.start_ns, end_ns = s->model->run.wall_ns;
    uint32_t thread = thread_of(s, b->row);
    for (size_t i = 0; i < b->frame_count; i++) {
        uint64_t at_ns = above(b->frame[i].start_ns, start_ns);
        activation_add(s, b->frame[i].stage,
                       (struct model_span){ .start_ns = at_ns,
                                            .wall_ns = above(end_ns, at_ns),
                                            .index = b->frame[i].index,
                                            .thread = thread,
                                            .open = true });
    }
    for (unsigned i = 0; i < PP_UNFINISHED; i++) {
        const struct pp_unfinished *u = &b->unfinished[i];
        uint64_t at_ns = above(u->start_ns, start_ns);
        uint32_t stage = u->node < b->node_count ? b->node[u->node].stage : 0;
        if (!u->start_ns || at_ns > end_ns || (b->row < s->profile->thread_count && s->profile->thread[b->row].end_ns))
            continue;
        span_add(s, (struct model_span){ .kind = SPAN_WAIT,
                                         .start_ns = at_ns,
                                         .wall_ns = end_ns - at_ns,
                                         .thread = thread,
                                         .stage = stage < b->stage_count ? s->stage_of[stage] : MODEL_NONE,
                                         .operation = (enum pp_operation_kind)u->kind,
                                         .point = u->point,
                                         .open = true });
    }
}

static int by_start(const void *a, const void *b)
{
    const struct model_span *x = a, *y = b;
    if (x->thread != y->thread)
        return x->thread < y->thread ? -1 : 1;
    if (x->start_ns != y->start_ns)
        return x->start_ns < y->start_ns ? -1 : 1;
    if (x->wall_ns != y->wall_ns)
        return x->wall_ns < y->wall_ns ? 1 : -1;
    return x->stage < y->stage ? -1 : x->stage > y->stage; /* a stage is before those in it */
}

static int by_number(const void *a, const void *b)
{
    const struct model_reading *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->at_ns < y->at_ns ? -1 : x->at_ns > y->at_ns;
}

static void kept_count(struct model_timeline *t)
{
    uint64_t kept[PP_TIMELINE_KIND_COUNT] = { [PP_TIMELINE_VALUES] = t->reading_count };
    for (size_t i = 0; i < t->span_count; i++)
        if (!t->span[i].open)
            kept[t->span[i].kind == SPAN_WAIT ? PP_TIMELINE_WAITS : PP_TIMELINE_STAGES]++;
    for (unsigned k = 0; k < PP_TIMELINE_KIND_COUNT; k++) {
        t->seen[k] = t->seen[k] > kept[k] ? t->seen[k] : kept[k];
        t->let_go[k] = t->seen[k] - kept[k];
    }
}

void timeline_merge(struct model *model, const struct profile *profile, uint32_t *const *stage_of)
{
    struct model_timeline *t = &model->timeline;
    t->recorded = profile->header.collectors >> COLLECTOR_TIMELINE & 1;
    if (!t->recorded)
        return;
    uint32_t *of = memory_zeroed(profile->thread_count + 1, sizeof *of), count = 0;
    for (size_t i = 0; i < profile->thread_count; i++)
        of[i] = profile->thread[i].tid ? count++ : MODEL_NONE;
    for (size_t i = 0; i < profile->block_count; i++) {
        struct spans s = { model, profile, &profile->block[i], stage_of[i], of, { 0 } };
        events_add(&s);
        slowest_add(&s);
        open_add(&s);
        for (unsigned k = 0; k < PP_TIMELINE_KIND_COUNT; k++)
            t->seen[k] += s.block->seen[k];
        map_free(&s.seen);
    }
    free(of);
    if (t->span_count)
        qsort(t->span, t->span_count, sizeof *t->span, by_start);
    if (t->reading_count)
        qsort(t->reading, t->reading_count, sizeof *t->reading, by_number);
    kept_count(t);
}

void timeline_settle(struct model *model, const uint32_t *point_of, uint32_t most)
{
    for (size_t i = 0; i < model->timeline.span_count; i++) {
        struct model_span *s = &model->timeline.span[i];
        s->point = point_of && s->point <= most ? point_of[s->point] : 0;
    }
}

void timeline_sum(struct model *model, const struct locations *where)
{
    for (size_t i = 0; i < model->timeline.span_count; i++) {
        struct model_span *s = &model->timeline.span[i];
        const struct locate_step *step =
            s->point && model->point[s->point].known ? locations_user_of_point(model, where, s->point) : NULL;
        if (step) {
            s->line = step->line;
            s->function = step->function;
        }
    }
}
