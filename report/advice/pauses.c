/* SPDX-License-Identifier: MIT */
/* pauses.c: entries of a stage, or iterations of a loop, that are slow at regular distances: something is saved, grown,
 * flushed or cleaned up every so often. How much of that can go is not known, so the saving is a bound. */
#include "advice/advice.h"

#define FEWEST_SLOW 4
#define TIMES_SLOWER 3.0
#define LEAST_PERIOD 3
#define LEAST_FITTING 0.7 /* of the slow entries that are kept */

static bool fits(uint64_t index, uint64_t anchor, uint64_t period)
{
    uint64_t rest = (index > anchor ? index - anchor : anchor - index) % period, slack = period / 50;
    return rest <= slack || period - rest <= slack;
}

/* The distance of the slow entries, if most of them lie at multiples of it; 0 if they do not, or are too few. Others
 * may be slow because something else ran. */
static uint64_t period_of(const struct model_times *t, double median, double *entries, double *mean_ns)
{
    const struct model_slow *slow[PP_SLOWEST];
    uint32_t all = 0, most = 0;
    uint64_t period = 0;
    for (uint32_t i = 0; i < t->slowest_count; i++)
        if ((double)t->slowest[i].wall_ns > TIMES_SLOWER * median &&
            t->slowest[i].thread_id == t->slowest[0].thread_id)
            slow[all++] = &t->slowest[i];
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t k = 0; k < all; k++) {
            uint64_t distance = slow[k]->index > slow[i]->index ? slow[k]->index - slow[i]->index : 0;
            uint32_t fitting = 0;
            double sum = 0;
            for (uint32_t j = 0; distance >= LEAST_PERIOD && j < all; j++)
                if (fits(slow[j]->index, slow[i]->index, distance)) {
                    fitting++;
                    sum += (double)slow[j]->wall_ns;
                }
            if (fitting > most || (fitting == most && distance > period)) {
                most = fitting;
                period = distance;
                *mean_ns = fitting ? sum / fitting : 0;
            }
        }
    /* where the list is full, there may be more */
    *entries = all < PP_SLOWEST || !period ? most : (double)t->calls / (double)period;
    return most >= FEWEST_SLOW && most >= LEAST_FITTING * all ? period : 0;
}

/* The function that ran about once in each slow entry, and took most time of those; 0: none. */
static uint32_t occasion_of(const struct model *model, uint32_t stage, double entries)
{
    uint32_t found = 0;
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        if (n->stage == stage && n->calls && (double)n->calls <= 1.5 * entries &&
            model->function[n->function].kind <= PP_SITE_STAGE && n->timed_ns > model->node[found].timed_ns)
            found = i;
    }
    return found;
}

void advice_pauses(struct advice *a)
{
    struct model *model = a->model;
    for (uint32_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        const struct model_times *t = s->kind == PP_SITE_LOOP ? &s->iteration : &s->times;
        double median = times_percentile(t, 0.5), slow_ns = 0, entries = 0;
        uint64_t period = median > 0 ? period_of(t, median, &entries, &slow_ns) : 0;
        if (!period)
            continue;
        struct model_advice *to =
            advice_add(a, ADVICE_pauses, MODEL_NONE, 0, entries * (slow_ns - median), SAVING_BOUND);
        if (!to)
            continue;
        char slow[FIGURE_BYTES], usual[FIGURE_BYTES], count[FIGURE_BYTES];
        uint32_t node = occasion_of(model, i, entries);
        const struct model_function *in = node ? &model->function[model->node[node].function] : NULL;
        to->file = in ? in->file : s->file;
        to->at = in ? in->line : s->line;
        to->function = node ? model->node[node].function : MODEL_NONE;
        advice_title(a, to, s->name, "stalls at regular distances");
        to->evidence = arena_print(&model->arena, "About every %s. %s takes %s instead of %s%s%s.",
                                   figure_count(count, (double)period),
                                   s->kind == PP_SITE_LOOP ? "iteration" : "entry", figure_time(slow, slow_ns),
                                   figure_time(usual, median), in ? "; then it calls " : "", in ? in->name : "");
        advice_figure(to, "period", (double)period);
        advice_figure(to, "slow_ns", slow_ns);
        advice_figure(to, "median_ns", median);
    }
}
