/* SPDX-License-Identifier: MIT */
/* pauses.c: entries of a stage, or iterations of a loop, that are slow at regular distances: something is saved, grown,
 * flushed or cleaned up every so often. How much of that can go is not known, so the saving is a bound. */
#include "advice/advice.h"

#include <stdlib.h>

#define FEWEST_SLOW 4
#define TIMES_SLOWER 3.0
#define LEAST_PERIOD 3

static int index_order(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;
    return *x < *y ? -1 : *x > *y;
}

/* The distance of the slow entries, if all distances are about multiples of it; 0 if they are not, or are too few. */
static uint64_t period_of(const struct model_times *t, double median, uint32_t *count, double *mean_ns)
{
    uint64_t index[PP_SLOWEST], period = UINT64_MAX;
    double sum = 0;
    *count = 0;
    for (uint32_t i = 0; i < t->slowest_count; i++)
        if ((double)t->slowest[i].wall_ns > TIMES_SLOWER * median &&
            t->slowest[i].thread_id == t->slowest[0].thread_id) {
            index[(*count)++] = t->slowest[i].index;
            sum += (double)t->slowest[i].wall_ns;
        }
    if (*count < FEWEST_SLOW)
        return 0;
    *mean_ns = sum / *count;
    qsort(index, *count, sizeof *index, index_order);
    for (uint32_t i = 1; i < *count; i++)
        period = index[i] - index[i - 1] < period ? index[i] - index[i - 1] : period;
    for (uint32_t i = 1; i < *count && period; i++) {
        uint64_t rest = (index[i] - index[i - 1]) % period, slack = period / 50;
        if (rest > slack && period - rest > slack)
            return 0;
    }
    return period < LEAST_PERIOD ? 0 : period;
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
        double median = times_percentile(t, 0.5), slow_ns = 0;
        uint32_t seen;
        uint64_t period = median > 0 ? period_of(t, median, &seen, &slow_ns) : 0;
        if (!period)
            continue;
        double entries = seen < PP_SLOWEST ? seen : (double)t->calls / (double)period;
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
