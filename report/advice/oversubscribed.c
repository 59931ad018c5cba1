/* SPDX-License-Identifier: MIT */
/* oversubscribed.c: threads that meet often, and are many more than there are CPUs. At each meeting the CPUs go through
 * all of them. With as many threads as CPUs the same work meets as often, and few have to be woken. */
#include "advice/crew.h"
#include "advice/takings.h"

#include <math.h>

#define MORE 1.5            /* threads for each CPU */
#define LEAST_MEETINGS 50.0 /* for each thread */
#define LEAST_PART 0.1      /* of the CPU time, in the calls by which they meet */

static bool is_meeting(enum pp_operation_kind kind)
{
    return kind == PP_OPERATION_BARRIER || kind == PP_OPERATION_CONDITION || kind == PP_OPERATION_SEMAPHORE ||
           kind == PP_OPERATION_LOCK || kind == PP_OPERATION_YIELD;
}

/* A lock that is taken for each little piece: fewer threads would meet at it as often. */
static bool is_brief(const struct advice *a, const struct library_use *takers, const struct advice_use *use)
{
    return use->kind == PP_OPERATION_LOCK && takings_of(a, takers, a->model->line[use->line].function).is_brief;
}

void advice_oversubscribed(struct advice *a)
{
    struct library_use takers = library_use(a, LIBRARY_LOCK);
    double cpus = (double)a->model->run.cpu_count, threads = a->others.threads;
    for (size_t i = 0; i < a->use_count && cpus > 0 && threads > MORE * cpus; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)use->sum.calls;
        double cpu = fmax((double)use->sum.cpu_ns, a->model->line[use->line].self.ns);
        if (!is_meeting(use->kind) || calls < LEAST_MEETINGS * threads || cpu < LEAST_PART * a->cpu_ns ||
            is_brief(a, &takers, use))
            continue;
        /* What computes is on the CPUs all the time, so time is shared as CPU time is. */
        double part = cpu / a->cpu_ns * (1 - cpus / threads), busy = fmin(1, a->cpu_ns * a->stretch / a->run_ns);
        double saves = part * busy * a->run_ns;
        struct model_advice *to =
            advice_add(a, ADVICE_oversubscribed, use->line, 0.65 * saves, 1.1 * saves, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], number[FIGURE_BYTES], time[FIGURE_BYTES], all[FIGURE_BYTES];
        to->evidence =
            arena_print(&a->model->arena,
                        "%s threads on %.0f CPUs waited for each other %s times here; that took %s of %s CPU time.",
                        figure_count(number, threads), cpus, figure_count(count, calls), figure_time(time, cpu),
                        figure_time(all, a->cpu_ns));
        advice_figure(to, "threads", threads);
        advice_figure(to, "cpus", cpus);
        advice_figure(to, "calls", calls);
        advice_figure(to, "cpu_ns", cpu);
        advice_figure(to, "wait_ns", (double)use->sum.wait_ns);
    }
}
