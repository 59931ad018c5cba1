/* SPDX-License-Identifier: MIT */
/* gain.c: what the run gains if a part of its threads' time goes. What the first thread does is on the way to the end
 * of the run. What others do is so only while the first one waits for them, and there all of them work side by side.
 * It must not know any rule. */
#include "advice/facts.h"

#include <math.h>

void gain_make(struct advice *a)
{
    const struct model *model = a->model;
    double others_ns = -(double)model->run.wall_ns;
    for (size_t i = 0; i < model->thread_count; i++)
        others_ns += (double)model->thread[i].wall_ns;
    for (size_t i = 0; i < model->operation_count; i++)
        if (operation_wait(model, &model->operation[i]) == PP_WAIT_EVENT && operation_is_call(model->operation[i].kind))
            a->first_event_ns += (double)model->operation[i].sum.first_wall_ns;
    a->first_event_ns = fmin(a->first_event_ns, a->run_ns);
    a->stretch = a->cpu_ns > 0 ? 1 + (double)model->run.delay_ns / a->cpu_ns : 1;
    a->abreast = a->first_event_ns > 0 ? fmax(1, others_ns / a->first_event_ns) : 1;
    a->abreast = fmin(a->abreast, fmax(1, (double)model->run.thread_count - 1));
}

/* first: the part that the first thread spent, 0 to 1. */
static void gain_of(const struct advice *a, double all_ns, double first, double *low_ns, double *high_ns)
{
    double own = fmin(all_ns * first, a->run_ns), others = all_ns * (1 - first);
    *low_ns = fmin(own + fmin(others / a->abreast, a->first_event_ns), a->run_ns);
    *high_ns = fmin(own + fmin(others, a->first_event_ns), a->run_ns);
}

void advice_gain(const struct advice *a, double cpu_ns, double wait_ns, double *low_ns, double *high_ns)
{
    double all_ns = cpu_ns * a->stretch + wait_ns;
    gain_of(a, all_ns, a->model->run.thread_count <= 1, low_ns, high_ns);
    if (a->model->run.thread_count > 1)
        *high_ns = fmin(all_ns, a->run_ns);
}

void advice_gain_part(const struct advice *a, const struct model_operations *sum, double part, double *low_ns,
                      double *high_ns)
{
    double wait = fmin((double)sum->wait_ns, (double)sum->wall_ns), cpu = (double)sum->wall_ns - wait;
    double first = sum->wall_ns ? fmin(1, (double)sum->first_wall_ns / (double)sum->wall_ns) : 1;
    gain_of(a, part * (cpu * a->stretch + wait), first, low_ns, high_ns);
}
