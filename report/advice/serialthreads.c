/* SPDX-License-Identifier: MIT */
/* serialthreads.c: threads of which each is waited for before the next one starts. Other threads of the run, such as
 * those that serve, do not matter. */
#include "advice/advice.h"

#include <math.h>

#define LEAST_THREADS 3
#define SERIAL 0.75  /* of the time that the threads were there, one waited for just them: no two were there at once */
#define ALIKE 0.9    /* as many are waited for there as are started */
#define COMPUTES 0.5 /* of their time: less, and what they wait for may be one thing that serves one at a time */

/* Where the first thread waits for as many threads as these; NULL: nowhere, or not just for them. */
static const struct advice_use *join_of(const struct advice *a, const struct model_group *group)
{
    const struct advice_use *join = NULL;
    double threads = (double)group->threads;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct model_operations *sum = &a->use[i].sum;
        if (a->use[i].kind == PP_OPERATION_JOIN && fabs((double)sum->calls - threads) <= (1 - ALIKE) * threads &&
            (!join || sum->first_wall_ns > join->sum.first_wall_ns))
            join = &a->use[i];
    }
    bool serial = join && (double)join->sum.first_wall_ns >= SERIAL * (double)group->lifetime_ns;
    return serial ? join : NULL;
}

/* How many could be there at once: those that a call of the function starts, where it starts several. */
static double batch_of(const struct model *model, const struct model_group *group)
{
    uint32_t at = model->line[group->line].function;
    const struct model_function *f = at == MODEL_NONE ? NULL : &model->function[at];
    double each = f && f->calls_known && !f->inlined && !f->has_copies && f->calls
                      ? (double)group->threads / (double)f->calls
                      : 1;
    return each >= 1.5 ? each : (double)group->threads;
}

static void speak(struct advice *a, const struct model_group *group, const struct advice_use *join)
{
    /* What they compute shares the CPUs, what they wait for can all be at once. Who lacked a CPU would compute. */
    double joined = (double)join->sum.first_wall_ns, alive = (double)group->lifetime_ns;
    double cpu = fmin(1, (double)(group->cpu_ns + group->delay_ns) / fmax(1, alive)), batch = batch_of(a->model, group);
    double best = fmin(batch, a->model->run.cpu_count ? (double)a->model->run.cpu_count : 2);
    double most = joined * (cpu * (1 - 1 / best) + (1 - cpu) * (1 - 1 / batch)), least = fmin(0.4 * joined, most);
    /* Where they lacked a CPU, none may be free for a second one. */
    bool computes = (double)group->cpu_ns >= COMPUTES * alive;
    struct model_advice *to = advice_add(a, ADVICE_serialthreads, join->line, computes ? least : 0, most,
                                         computes ? SAVING_MEASURED : SAVING_BOUND);
    if (!to)
        return;
    char count[FIGURE_BYTES], lived[FIGURE_BYTES], waited[FIGURE_BYTES];
    to->evidence = arena_print(
        &a->model->arena, "%s threads lived for %s in all, one after the other; waiting for them took %s.",
        figure_count(count, (double)group->threads), figure_time(lived, alive), figure_time(waited, joined));
    advice_figure(to, "threads", (double)group->threads);
    advice_figure(to, "alive_ns", alive);
    advice_figure(to, "wait_ns", joined);
    advice_figure(to, "overlap", alive / joined);
}

void advice_serialthreads(struct advice *a)
{
    for (size_t i = 0; i < a->model->group_count; i++) {
        const struct model_group *group = &a->model->group[i];
        const struct advice_use *join = group->line == MODEL_NONE ? NULL : join_of(a, group);
        if (join && group->most_at_once <= 1 && group->threads >= LEAST_THREADS)
            speak(a, group, join);
    }
}
