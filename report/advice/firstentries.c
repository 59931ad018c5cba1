/* SPDX-License-Identifier: MIT */
/* firstentries.c: a stage or iteration whose first entry takes far longer than all others: something is made, loaded or
 * warmed up there. How much of that can go is not known, so the saving is a bound. */
#include "advice/rounds.h"
#include "advice/slowness.h"

#define FEWEST 4
#define TIMES_LONGER 5.0
#define LEAST_NS 1e6 /* pages and caches that are cold take less */
#define MOST_ALIKE 1 /* others that took half as long: with more, being first is not why it was slow */

/* What the first entry took beyond the mean of the others; 0 if it is nothing special. */
static double excess_ns(const struct model_times *t)
{
    uint32_t alike = 0;
    for (uint32_t i = 0; i < t->slowest_count && t->calls >= FEWEST && t->timed_calls == t->calls; i++) {
        double first = (double)t->slowest[i].wall_ns,
               others = ((double)t->wall_ns - first) / (double)(t->calls - 1);
        if (t->slowest[i].index != 0)
            continue;
        for (uint32_t k = 0; k < t->slowest_count; k++)
            alike += t->slowest[k].index && (double)t->slowest[k].wall_ns > first / 2;
        if (alike <= MOST_ALIKE)
            return first > TIMES_LONGER * others && first - others >= LEAST_NS ? first - others : 0;
    }
    return 0;
}

/* Whether a stage inside has most of it: then that one is told. */
static bool enclosed_tells(const struct model *model, uint32_t stage, double excess)
{
    for (uint32_t i = 0; i < model->stage_count; i++)
        if (i != stage && stage_encloses(model, stage, i) && excess_ns(stall_times(&model->stage[i])) > excess / 2)
            return true;
    return false;
}

void advice_firstentries(struct advice *a)
{
    struct model *model = a->model;
    /* each merged file has a first entry */
    for (uint32_t i = 0; i < model->stage_count && !model->part_count; i++) {
        const struct model_stage *s = &model->stage[i];
        const struct model_times *t = stall_times(s);
        double excess = excess_ns(t);
        struct model_advice *to;
        if (enclosed_tells(model, i, excess) || stall_is_taken(a, s, excess) ||
            !(to = advice_add(a, ADVICE_firstentries, MODEL_NONE, 0, advice_wall(a, excess), SAVING_BOUND)))
            continue;
        char first[FIGURE_BYTES], others[FIGURE_BYTES], count[FIGURE_BYTES];
        double mean = ((double)t->wall_ns - excess) / (double)t->calls;
        to->file = s->file;
        to->at = s->line;
        advice_title(a, to, s->name, "takes far longer the first time");
        to->evidence = arena_print(&model->arena, "Its first %s took %s, the other %s took %s each.",
                                   s->kind == PP_SITE_LOOP ? "iteration" : "entry", figure_time(first, excess + mean),
                                   figure_count(count, (double)t->calls - 1), figure_time(others, mean));
        advice_figure(to, "first_ns", excess + mean);
        advice_figure(to, "others_mean_ns", mean);
        advice_figure(to, "calls", (double)t->calls);
    }
    rounds_ask(a, ADVICE_firstentries);
}
