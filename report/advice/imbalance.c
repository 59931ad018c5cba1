/* SPDX-License-Identifier: MIT */
/* imbalance.c: threads of one kind, of which one has much more to compute than the others, so that all wait for it. */
#include "advice/crew.h"

#include <math.h>
#include <stdlib.h>

#include "store/arena.h"

#define LEAST_RATIO 1.25  /* the busiest to the mean */
#define IDLE_CPU 0.1      /* of the busiest one's CPU time */
#define IDLE_WAIT 0.7     /* of its life */
#define LEAST_TASK_NS 3e6 /* of CPU time in a function, for it to be what a thread does */
#define MOST_THREADS 256  /* more are started as work comes, and are not meant to be equal */

/* A thread of a pool for which nothing came: it did next to nothing and waited. One with little to do ends early. */
static bool is_idle(const struct advice *a, const struct model_thread *t)
{
    return (double)t->cpu_ns < IDLE_CPU * a->others.most_cpu_ns && (double)t->wait_ns > IDLE_WAIT * (double)t->wall_ns;
}

static double idle_count(const struct advice *a)
{
    double idle = 0;
    for (size_t i = 0; i < a->model->thread_count; i++)
        idle += a->model->thread[i].id != a->model->run.pid && is_idle(a, &a->model->thread[i]);
    return idle;
}

/* The function with most of the thread's CPU time, with what it calls in libraries and the kernel; MODEL_NONE: that is
 * too little to tell. */
static uint32_t task_of(const struct model *model, uint32_t thread)
{
    double *ns = memory_zeroed(model->function_count + 1, sizeof *ns), most = LEAST_TASK_NS;
    uint32_t task = MODEL_NONE;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        if (s->thread != thread || s->function == MODEL_NONE)
            continue;
        ns[s->function] += (double)s->ns + s->system.ns;
        if (ns[s->function] > most) {
            most = ns[s->function];
            task = s->function;
        }
    }
    free(ns);
    return task;
}

/* The busiest thread spends its time in another function than most of the others do: it has work of its own, which
 * could not be dealt out. */
static bool has_role(const struct advice *a)
{
    const struct model *model = a->model;
    uint32_t busiest = MODEL_NONE, own, other;
    unsigned same = 0, different = 0;
    for (uint32_t i = 0; i < model->thread_count; i++)
        if (model->thread[i].id != model->run.pid &&
            (busiest == MODEL_NONE || model->thread[i].cpu_ns > model->thread[busiest].cpu_ns))
            busiest = i;
    if (busiest == MODEL_NONE || (own = task_of(model, busiest)) == MODEL_NONE)
        return false;
    for (uint32_t i = 0; i < model->thread_count; i++) {
        if (i == busiest || model->thread[i].id == model->run.pid || is_idle(a, &model->thread[i]))
            continue;
        other = task_of(model, i);
        same += other == own || other == MODEL_NONE;
        different += other != own && other != MODEL_NONE;
    }
    return different > same;
}

void advice_imbalance(struct advice *a)
{
    struct crew c;
    if (!crew_find(a, &c) || c.threads < 2 || c.threads > MOST_THREADS)
        return;
    c.threads -= idle_count(a);
    if (c.threads < 2 || has_role(a))
        return;
    double most = a->others.most_cpu_ns, mean = a->others.cpu_ns / c.threads;
    /* one after the other is another matter; and where they mostly wait, CPU time does not say who was late */
    if (most < LEAST_RATIO * mean || c.joined_ns > 0.9 * a->others.alive_ns || most * a->stretch < 0.6 * c.joined_ns)
        return;
    double after = a->others.cpu_ns / fmin(c.threads, c.cpus), saves = (most - after) * a->stretch;
    if (saves <= 0)
        return;
    uint32_t line = crew_line(a);
    struct model_advice *to = advice_add(a, ADVICE_imbalance, line != MODEL_NONE ? line : c.start->line, saves * 0.7,
                                         saves * 1.2, SAVING_MEASURED);
    if (!to)
        return;
    char count[FIGURE_BYTES], one[FIGURE_BYTES], each[FIGURE_BYTES];
    to->evidence = arena_print(&a->model->arena, "Of %s threads one computed for %s, all of them %s in the mean.",
                               figure_count(count, c.threads), figure_time(one, most), figure_time(each, mean));
    advice_figure(to, "threads", c.threads);
    advice_figure(to, "most_cpu_ns", most);
    advice_figure(to, "mean_cpu_ns", mean);
    advice_figure(to, "wait_ns", c.joined_ns);
}
