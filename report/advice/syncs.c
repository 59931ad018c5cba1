/* SPDX-License-Identifier: MIT */
/* syncs.c: a line that asks the disk to confirm what little was written, again and again. One confirmation for many
 * records costs about what one for a single record costs, so nearly all of them can go. */
#include "advice/advice.h"

#define LEAST_CALLS 8
#define TOGETHER 16.0 /* records that one confirmation can cover without much delay: all but 1 of 16 go at least */

/* What was written by the program between two confirmations; negative: nothing is known of writes. */
static double writes_between(const struct advice *a, double syncs)
{
    double writes = 0;
    for (size_t i = 0; i < a->use_count; i++)
        if (operation_account(a->use[i].kind) == 2)
            writes += (double)a->use[i].sum.calls;
    return writes > 0 ? writes / syncs : -1;
}

void advice_syncs(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)use->sum.calls, took = (double)use->sum.wall_ns, low, high;
        if (use->kind != PP_OPERATION_SYNC || calls < LEAST_CALLS)
            continue;
        advice_gain_part(a, &use->sum, 1, &low, &high);
        struct model_advice *to =
            advice_add(a, ADVICE_syncs, use->line, low * (1 - 1 / TOGETHER), high * (1 - 1 / calls), SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES], each[FIGURE_BYTES];
        double writes = writes_between(a, calls);
        to->evidence = arena_print(&a->model->arena, "%s fsync calls took %s, %s each.", figure_count(count, calls),
                                   figure_time(time, took), figure_time(each, took / calls));
        if (writes > 0 && writes <= 8)
            to->evidence =
                arena_print(&a->model->arena, "%s Between two of them: %.3g writes.", to->evidence, writes);
        advice_figure(to, "calls", calls);
        advice_figure(to, "wall_ns", took);
        advice_figure(to, "wait_ns", (double)use->sum.wait_ns);
    }
}
