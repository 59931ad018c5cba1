/* SPDX-License-Identifier: MIT */
/* tracks.c: see tracks.h. */
#include "trace/tracks.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/stacktree.h"
#include "words/diag.h"

enum { LANES = 16, DEEPEST = 256 }; /* what does not fit is not drawn inside of others, and gets the last lane */

struct lane {
    uint64_t end_ns[DEEPEST]; /* of the spans that are open, the innermost last */
    size_t depth;
};

static bool lane_takes(struct lane *lane, const struct model_span *s)
{
    while (lane->depth && lane->end_ns[lane->depth - 1] <= s->start_ns)
        lane->depth--;
    if (lane->depth == DEEPEST || (lane->depth && lane->end_ns[lane->depth - 1] < s->start_ns + s->wall_ns))
        return false;
    lane->end_ns[lane->depth++] = s->start_ns + s->wall_ns;
    return true;
}

uint32_t *track_lanes(const struct model *model)
{
    const struct model_timeline *t = &model->timeline;
    uint32_t *of = memory_zeroed(t->span_count + 1, sizeof *of), thread = MODEL_NONE;
    struct lane *lane = memory_zeroed(LANES, sizeof *lane);
    for (size_t i = 0; i < t->span_count; i++) {
        const struct model_span *s = &t->span[i];
        if (!stage_is_within(model, s->stage)) {
            of[i] = MODEL_NONE;
            continue;
        }
        for (uint32_t k = 0; s->thread != thread && k < LANES; k++)
            lane[k].depth = 0;
        thread = s->thread;
        while (of[i] < LANES - 1 && !lane_takes(&lane[of[i]], s))
            of[i]++;
    }
    free(lane);
    return of;
}

const char *track_span_kind(const struct model_span *span)
{
    return span->kind == SPAN_WAIT ? "wait" : span->kind == SPAN_ITERATION ? "iteration" : "stage";
}

const char *track_span_name(struct arena *arena, const struct model *model, const struct model_span *span)
{
    if (span->kind == SPAN_WAIT)
        return operation_name(span->operation);
    const char *name = span->stage == MODEL_NONE ? "" : model->stage[span->stage].name;
    return span->kind == SPAN_ITERATION ? arena_print(arena, "iteration of %s", name) : name;
}

const char *track_span_place(struct arena *arena, const struct model *model, const struct model_span *span)
{
    const char *function = span->function == MODEL_NONE ? "" : model->function[span->function].name;
    if (span->line == MODEL_NONE)
        return function;
    const struct model_line *line = &model->line[span->line];
    return arena_print(arena, "%s:%" PRIu32 "%s%s", line->file, line->line, function[0] ? " in " : "", function);
}

uint64_t track_thread_id(const struct model *model, uint32_t thread)
{
    return thread == MODEL_NONE ? 0 : model->thread[thread].id;
}

struct track_call *track_calls(const struct model *model, const struct stack_cost *cost, size_t *count)
{
    struct stacktree tree =
        stacktree_make(model, STACKTREE_CALLERS_FIRST, (const struct stack_cost *const[STACKTREE_COSTS]){ cost });
    uint32_t *first = memory_zeroed(tree.count, sizeof *first), *next = memory_zeroed(tree.count, sizeof *next);
    double *from = memory_zeroed(tree.count, sizeof *from); /* where the next one that it calls begins */
    struct track_call *call = memory_zeroed(tree.count, sizeof *call);
    for (uint32_t i = (uint32_t)tree.count; i-- > 1;) {
        next[i] = first[tree.node[i].parent];
        first[tree.node[i].parent] = i;
    }
    *count = 0;
    for (uint32_t at = first[0]; at;) {
        const struct stacktree_node *n = &tree.node[at];
        uint64_t start = number_whole(from[n->parent] + 0.5);
        from[at] = from[n->parent];
        from[n->parent] += n->total[0];
        call[(*count)++] = (struct track_call){ .frame = n->frame,
                                                .depth = n->depth,
                                                .start = start,
                                                .cost = number_whole(from[n->parent] + 0.5) - start,
                                                .own = n->own[0] };
        uint32_t up = at;
        for (at = first[at]; !at && up; up = tree.node[up].parent)
            at = next[up];
    }
    stacktree_free(&tree);
    free(first);
    free(next);
    free(from);
    return call;
}

void track_slice_begin(struct track_slices *slices, size_t which, uint64_t end)
{
    *ARRAY_PUSH(slices->open, slices->count, slices->capacity) = (struct track_slice){ end, which };
}

bool track_slice_end(struct track_slices *slices, uint64_t until, struct track_slice *ended)
{
    if (!slices->count || slices->open[slices->count - 1].end > until)
        return false;
    *ended = slices->open[--slices->count];
    return true;
}

void track_timeline_warn(const struct model *model, const char *format)
{
    char where[64];
    snprintf(where, sizeof where, "--format %s", format);
    if (!model->timeline.recorded)
        diag_warning(where, "this run has no timeline, so only threads and calls are in it; to record one run the "
                            "program with PROFPLUG=timeline=on");
}
