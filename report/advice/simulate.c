/* SPDX-License-Identifier: MIT */
/* simulate.c: see simulate.h. A rule knows how much of a stage's time would go. What the run gains from that it can
 * only bound where there are several threads; the simulation has measured it. */
#include "advice/simulate.h"

#include <math.h>
#include <string.h>

#include "advice/advice.h"

#define MOST_PART 0.9 /* of the function's time must be in the stage, so that it stands for the finding */

static const struct simulation_stage *stage_find(const struct simulation *s, const char *name)
{
    for (size_t i = 0; i < s->stage_count; i++)
        if (!strcmp(s->stage[i].name, name))
            return &s->stage[i];
    return NULL;
}

/* The innermost simulated stage around a stage; itself, if it is one. */
static const struct simulation_stage *stage_around(const struct model *model, const struct simulation *s, uint32_t at)
{
    const struct simulation_stage *found = NULL;
    for (; at != MODEL_NONE && !found; at = model->stage[at].parent)
        found = stage_find(s, model->stage[at].name);
    return found;
}

/* The simulated stage in which the function spends its time, with what it calls; NULL: there is no such one. */
static const struct simulation_stage *stage_of(const struct model *model, const struct simulation *s, uint32_t function)
{
    double all_ns = 0;
    double of_ns[s->stage_count + 1];
    memset(of_ns, 0, sizeof of_ns);
    for (size_t i = 0; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        if (n->function != function)
            continue;
        const struct simulation_stage *stage = stage_around(model, s, n->stage);
        double ns = n->below.ns + n->stalled.ns;
        all_ns += ns;
        of_ns[stage ? stage - s->stage : (ptrdiff_t)s->stage_count] += ns;
    }
    for (size_t i = 0; i < s->stage_count; i++)
        if (all_ns > 0 && of_ns[i] >= MOST_PART * all_ns)
            return &s->stage[i];
    return NULL;
}

/* The curve at a percentage: straight between its points, from nothing at 0, and on with its last slope. */
static double curve_at(const double *percent, const double *value, size_t count, double at)
{
    size_t i = 0;
    while (i + 1 < count && percent[i] < at)
        i++;
    double from = i ? percent[i - 1] : 0, base = i ? value[i - 1] : 0;
    return base + (value[i] - base) * (at - from) / (percent[i] - from);
}

static double stage_wall_ns(const struct model *model, const char *name)
{
    double ns = 0;
    for (size_t i = 0; i < model->stage_count; i++)
        if (!strcmp(model->stage[i].name, name))
            ns += (double)model->stage[i].times.wall_ns;
    return ns;
}

/* Both intervals hold what is saved. If they have nothing in common, the rule did not know what waits for the stage. */
static void saving_narrow(struct model_advice *a, double low_ns, double high_ns)
{
    bool apart = high_ns < a->low_ns || low_ns > a->high_ns;
    low_ns = apart ? low_ns : fmax(low_ns, a->low_ns);
    high_ns = apart ? high_ns : fmin(high_ns, a->high_ns);
    if (low_ns != a->low_ns || high_ns != a->high_ns)
        a->kind = SAVING_SIMULATED;
    a->low_ns = fmin(low_ns, high_ns);
    a->high_ns = high_ns;
}

void advice_simulate(struct model *model, const struct simulation *s)
{
    double run_ns = model->advised_ns, loop_ns = s->progress ? fmin(run_ns, stage_wall_ns(model, s->progress)) : run_ns;
    for (size_t i = 0; i < model->advice_count; i++) {
        struct model_advice *a = &model->advice[i];
        const struct simulation_stage *stage = a->function == MODEL_NONE ? NULL : stage_of(model, s, a->function);
        double stage_ns = stage ? stage_wall_ns(model, stage->name) : 0;
        if (stage_ns <= 0)
            continue;
        double low = curve_at(stage->percent, stage->low, stage->point_count, fmin(100, 100 * a->low_ns / stage_ns)),
               high = curve_at(stage->percent, stage->high, stage->point_count, fmin(100, 100 * a->high_ns / stage_ns));
        saving_narrow(a, fmax(0, fmin(low, 100)) / 100 * loop_ns, fmax(0, fmin(high, 100)) / 100 * loop_ns);
        a->low_percent = 100 * a->low_ns / run_ns;
        a->high_percent = 100 * a->high_ns / run_ns;
    }
    advice_sort(model);
}
