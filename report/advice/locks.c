/* SPDX-License-Identifier: MIT */
/* locks.c: a line that waits long for a lock which other threads hold. */
#include "advice/advice.h"

#include <math.h>

#define LEAST_WAIT 0.01 /* of the time that all threads were there */

/* The waits of all lines of one function, at its line with the most: mostly it is one lock. False: another line of the
 * function has more. */
static bool waits_join(const struct advice *a, const struct advice_use *use, struct model_operations *sum)
{
    uint32_t function = a->model->line[use->line].function;
    *sum = use->sum;
    for (size_t k = 0; k < a->use_count; k++) {
        const struct advice_use *u = &a->use[k];
        if (u == use || u->kind != use->kind || function == MODEL_NONE || a->model->line[u->line].function != function)
            continue;
        if (u->sum.wait_ns > use->sum.wait_ns || (u->sum.wait_ns == use->sum.wait_ns && u < use))
            return false;
        operations_add(sum, &u->sum);
    }
    return true;
}

void advice_locks(struct advice *a)
{
    double cpus = a->model->run.cpu_count ? (double)a->model->run.cpu_count : 2;
    double room = fmax(0, a->run_ns - a->cpu_ns / fmin(cpus, a->others.threads + 1));
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        struct model_operations sum;
        double low, high;
        if (use->kind != PP_OPERATION_LOCK || !waits_join(a, use, &sum) ||
            (double)sum.wait_ns < LEAST_WAIT * a->threads_ns)
            continue;
        /* Threads that wait for each other's work gain alike. No more is gained than CPUs are free. */
        advice_gain_part(a, &sum, 1, &low, &high);
        high = fmin(high, fmin(1.25 * low, room));
        struct model_advice *to =
            advice_add(a, ADVICE_locks, use->line, fmin(0.7 * low, 0.8 * high), high, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES], all[FIGURE_BYTES];
        double calls = (double)(sum.calls + sum.unfinished), wait = (double)sum.wait_ns;
        to->evidence =
            arena_print(&a->model->arena, "The lock was not free at %s calls, and threads waited %s for it, of %s that "
                                          "they were there.",
                        figure_count(count, calls), figure_time(time, wait), figure_time(all, a->threads_ns));
        advice_figure(to, "calls", calls);
        advice_figure(to, "wait_ns", wait);
        advice_figure(to, "most_ns", (double)sum.most_ns);
    }
}
