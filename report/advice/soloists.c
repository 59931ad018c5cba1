/* SPDX-License-Identifier: MIT */
/* soloists.c: one thread computes nearly all the time, and several others, which one line starts, wait again and again
 * for what it makes. Whether its work can be shared among them is not known: the saving is a bound. */
#include <math.h>

#include "advice/advice.h"
#include "model/namesake.h"

#define LEAST_CPU 0.7    /* of the run's CPU time: the thread's that works alone */
#define LEAST_BUSY 0.7   /* of the run: it computes, or had no CPU */
#define LEAST_WAIT 0.7   /* of the lives of those that wait */
#define LEAST_LIFE 0.5   /* of the run: so long each of them is there */
#define LEAST_WAITS 16   /* of each of them: fewer, and nothing came for it */
#define LEAST_DONE 0.001 /* of the run's CPU time: they do something with what comes */
#define MOST_MOVED 0.3   /* of their CPU time: more, and they read and write for the one that computes */

/* Threads of one line that mostly wait; NULL: none. */
static const struct model_group *waiting_group(const struct advice *a)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < model->group_count; i++) {
        const struct model_group *g = &model->group[i];
        if (g->threads >= 2 && g->most_at_once >= 2 && (double)g->wait_ns >= LEAST_WAIT * (double)g->lifetime_ns &&
            (double)g->lifetime_ns >= LEAST_LIFE * a->run_ns * (double)g->threads &&
            (double)g->cpu_ns >= LEAST_DONE * a->cpu_ns)
            return g;
    }
    return NULL;
}

/* How often others than the first thread waited for what another thread makes. */
static double waits_of(const struct advice *a)
{
    double waits = 0;
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].kind == PP_OPERATION_CONDITION || a->use[i].kind == PP_OPERATION_SEMAPHORE)
            waits += (double)a->use[i].sum.calls * (1 - advice_first_part(&a->use[i].sum));
    return waits;
}

/* CPU time of others than the first thread in calls that read or write. */
static double moved_ns(const struct advice *a)
{
    double ns = 0;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct model_operations *sum = &a->use[i].sum;
        double wait = fmin((double)sum->wait_ns, (double)sum->wall_ns), cpu = (double)sum->wall_ns - wait;
        if (operation_account(a->use[i].kind))
            ns += (sum->cpu_ns ? fmin(cpu, (double)sum->cpu_ns) : cpu) * (1 - advice_first_part(sum));
    }
    return ns;
}

/* The line on which the thread spent most. */
static uint32_t line_of(const struct advice *a, uint32_t thread)
{
    const struct model *model = a->model;
    double *ns = arena_take(&a->model->arena, (model->line_count + 1) * sizeof *ns), most = 0;
    uint32_t line = MODEL_NONE;
    for (uint32_t i = 0; i < model->line_count; i++)
        ns[i] = 0;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        if (s->thread != thread || s->line == MODEL_NONE)
            continue;
        ns[s->line] += (double)s->ns + s->system.ns;
        if (ns[s->line] > most) {
            most = ns[s->line];
            line = s->line;
        }
    }
    return line;
}

void advice_soloists(struct advice *a)
{
    const struct model *model = a->model;
    const struct model_group *g = waiting_group(a);
    uint32_t busiest = 0;
    for (uint32_t i = 1; i < model->thread_count; i++)
        if (model->thread[i].cpu_ns > model->thread[busiest].cpu_ns)
            busiest = i;
    if (!g || !model->thread_count || model->run.cpu_count < 2 || a->serves)
        return;
    const struct model_thread *t = &model->thread[busiest];
    double cpu = (double)t->cpu_ns, busy = cpu * advice_thread_stretch(a, t), waits = waits_of(a);
    if ((t->started_line == g->line && !thread_is_first(model, t)) || cpu < LEAST_CPU * a->cpu_ns ||
        busy < LEAST_BUSY * a->run_ns || waits < LEAST_WAITS * (double)g->threads ||
        moved_ns(a) > MOST_MOVED * (double)g->cpu_ns)
        return;
    uint32_t line = line_of(a, busiest);
    double workers = fmin((double)model->run.cpu_count, (double)g->threads + 1);
    struct model_advice *to =
        advice_add(a, ADVICE_soloists, line, 0, busy * (1 - 1 / workers), SAVING_BOUND);
    char time[FIGURE_BYTES], count[FIGURE_BYTES], waited[FIGURE_BYTES], lived[FIGURE_BYTES];
    if (!to)
        return;
    to->evidence =
        arena_print(&a->model->arena,
                    "One thread computed for %s, %.0f %% of the CPU time. Meanwhile %.0f others waited, %s "
                    "times, %s of the %s that they lived.",
                    figure_time(time, cpu), 100 * cpu / a->cpu_ns, (double)g->threads, figure_count(count, waits),
                    figure_time(waited, (double)g->wait_ns), figure_time(lived, (double)g->lifetime_ns));
    advice_figure(to, "cpu_ns", cpu);
    advice_figure(to, "waits", waits);
    advice_figure(to, "wait_ns", (double)g->wait_ns);
}
