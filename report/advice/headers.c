/* SPDX-License-Identifier: MIT */
/* headers.c: a part of a file that is read again for each piece, always from the same place. The compiler says which
 * calls read from a place, or move to one, that never changes. */
#include "advice/passes.h"

#include <math.h>
#include <string.h>

#define LEAST_READS 100
#define LEAST_AGAIN 16.0  /* reads of each file */
#define MOST_IN_ORDER 0.2 /* of the reads after a move: with more, it moved for the first one alone */
#define LEAST_PART 0.75
#define MOST_PART 1.5 /* what is made of what was read goes, too */

/* Whether the read begins at a place that stays: it says so itself, or the last move before it in its function does. */
static const struct model_remark *place_of(const struct model *model, const struct advice_use *use)
{
    const struct model_line *at = &model->line[use->line];
    const struct model_remark *best = NULL;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind != PP_REMARK_FIXED_PLACE || r->line > at->line || at->line - r->line > 2 ||
            strcmp(r->file, at->file) != 0)
            continue;
        bool reads = strncmp(r->detail, "pread", 5) == 0;
        if (reads ? r->line == at->line : !best)
            best = r;
    }
    return best;
}

void advice_headers(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)(use->sum.calls - use->sum.errors), low, high, opens;
        if (operation_account(use->kind) != 1 || use->sum.calls <= use->sum.errors || calls < LEAST_READS ||
            calls < LEAST_AGAIN * (opens = advice_opens(a, use, 1)) || use->target == MODEL_NONE || !use->sum.bytes ||
            a->model->target[use->target].kind != PP_TARGET_FILE ||
            (double)use->sum.sequential > MOST_IN_ORDER * calls || passes_made(a, use))
            continue;
        const struct model_remark *place = place_of(a->model, use);
        struct passes p = { .opens = calls,
                            .pass_bytes = (double)use->sum.bytes / calls,
                            .written_bytes = passes_written(a, use) };
        if (!place || passes_change(a, use, &p))
            continue;
        advice_gain_part(a, &use->sum, 1 - opens / calls, &low, &high);
        struct model_advice *to =
            advice_add(a, ADVICE_headers, use->line, LEAST_PART * low, MOST_PART * high, SAVING_MEASURED);
        char count[FIGURE_BYTES], size[FIGURE_BYTES], time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "It read %s of %s %s times, always from byte %lld on. That took %s.",
                        figure_size(size, p.pass_bytes), passes_file(a, use), figure_count(count, calls),
                        (long long)place->value, figure_time(time, (double)use->sum.wall_ns));
        advice_figure(to, "calls", calls);
        advice_figure(to, "bytes", (double)use->sum.bytes);
        advice_figure(to, "wall_ns", (double)use->sum.wall_ns);
    }
}
