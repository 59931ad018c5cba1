/* SPDX-License-Identifier: MIT */
/* serialthreads.c: threads of which each is waited for before the next one starts. */
#include "advice/crew.h"

#include <math.h>

#define LEAST_THREADS 3
#define SERIAL 0.75 /* of the time that the threads were there, one waited for just them: no two were there at once */

/* How many of the threads that the line started lived at a time, at most; 0: not known. */
static double most_at_once(const struct model *model, uint32_t line)
{
    uint64_t most = 0;
    for (size_t i = 0; i < model->group_count; i++)
        if (model->group[i].line == line && model->group[i].most_at_once > most)
            most = model->group[i].most_at_once;
    return (double)most;
}

void advice_serialthreads(struct advice *a)
{
    struct crew c;
    if (!crew_find(a, &c) || most_at_once(a->model, c.start->line) > 1 || c.threads < LEAST_THREADS ||
        c.joined_ns < SERIAL * a->others.alive_ns)
        return;
    /* What they compute shares the CPUs, what they wait for can all be at once. */
    double cpu = fmin(1, a->others.cpu_ns / fmax(1, a->others.alive_ns)), best = fmin(c.threads, c.cpus);
    double most = c.joined_ns * (cpu * (1 - 1 / best) + (1 - cpu) * (1 - 1 / c.threads)), least = c.joined_ns * 0.4;
    struct model_advice *to =
        advice_add(a, ADVICE_serialthreads, c.join->line, fmin(least, most), most, SAVING_MEASURED);
    if (!to)
        return;
    char count[FIGURE_BYTES], alive[FIGURE_BYTES], waited[FIGURE_BYTES];
    to->evidence = arena_print(
        &a->model->arena, "%s threads lived for %s in all, one after the other; waiting for them took %s.",
        figure_count(count, c.threads), figure_time(alive, a->others.alive_ns), figure_time(waited, c.joined_ns));
    advice_figure(to, "threads", c.threads);
    advice_figure(to, "alive_ns", a->others.alive_ns);
    advice_figure(to, "wait_ns", c.joined_ns);
    advice_figure(to, "overlap", a->others.alive_ns / c.joined_ns);
}
