/* SPDX-License-Identifier: MIT */
/* slowness.c: see slowness.h. It must not know any rule. */
#include "advice/slowness.h"

#include <math.h>

#define FEWEST_CALLS 2
/* Of what the stalls took, at least so much the program must have computed or waited for. */
#define LEAST_OWN 0.25
#define TIMES_USUAL 3.0 /* times the median; what takes longer is slow */

const struct model_times *stall_times(const struct model_stage *s)
{
    return s->kind == PP_SITE_LOOP ? &s->iteration : &s->times;
}

/* Calls of a function that is only counted are known, but its time is that of samples. */
struct stall_occasion stall_occasion(const struct advice *a, uint32_t stage, double entries)
{
    const struct model *model = a->model;
    struct stall_occasion found = { MODEL_NONE, 0, 0 };
    for (uint32_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        if (n->function == MODEL_NONE || n->stage == MODEL_NONE || !stage_encloses(model, stage, n->stage))
            continue;
        const struct model_function *f = &model->function[n->function];
        bool counted = f->calls_known && !f->inlined && !f->has_copies;
        double calls = n->calls ? (double)n->calls : counted ? (double)f->calls : 0,
               ns = n->calls && n->timed_ns ? (double)n->timed_ns : n->below.ns * a->stretch;
        if (calls > 0 && calls <= 1.5 * entries && f->kind <= PP_SITE_STAGE && ns > found.ns)
            found = (struct stall_occasion){ n->function, calls, ns };
    }
    return found;
}

bool stall_is_cause(const struct stall_occasion *o, double stall_ns)
{
    return o->function != MODEL_NONE && o->calls >= FEWEST_CALLS && o->ns >= stall_ns / 2 * o->calls;
}

/* What usual entries took together, in CPU time at most. By their mean: on a busy machine some take longer than the
 * median, and few take less. */
static double usual_ns(const struct model_times *t)
{
    double entries, slow, all_ns = times_beyond(t, -1, &entries);
    double slow_ns = times_beyond(t, TIMES_USUAL * times_percentile(t, 0.5), &slow);
    return entries > slow ? (double)t->calls * (all_ns - slow_ns) / (entries - slow) : 0;
}

/* CPU time beyond what so many usual entries take at most is theirs. Of the rest, all time in which nothing ran and
 * nothing was waited for may have fallen into them. Without the stage's CPU time, that is the run's. */
bool stall_is_taken(const struct advice *a, const struct model_stage *s, double excess_ns)
{
    const struct model_times *t = stall_times(s);
    double own = (stage_cpu_ns(s) - usual_ns(t)) * a->stretch, taken = stage_other_wait_ns(s);
    if (taken < 0)
        taken = fmin((double)s->times.wall_ns, run_crowded_ns(a->model) + run_unclear_ns(a->model));
    return taken > 0 && excess_ns - taken < LEAST_OWN * excess_ns && own < LEAST_OWN * excess_ns;
}
