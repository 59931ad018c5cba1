/* SPDX-License-Identifier: MIT */
/* spins.c: a line that asks all the time, without a pause, whether something has happened. It keeps a CPU busy with
 * that. How much of the run that costs depends on who else could use the CPU, so the saving is a bound. */
#include "advice/advice.h"

#include <math.h>

#define LEAST_CALLS 5000
#define MOST_NS 20000.0 /* a call: who waits in it does not spin */
#define MOST_PART 1.2   /* of the line's CPU time, an estimate: the wall time of a yield is others' work, too */
#define FOUND_MOST 0.05 /* calls that something came of, of all */

/* Calls that failed on what may have something later. Without a descriptor, or on a file, the next one fails, too. */
static double came_too_early(const struct advice *a, const struct advice_use *use)
{
    double failed = 0;
    for (size_t i = 0; i < a->model->operation_count; i++) {
        const struct model_operation *o = &a->model->operation[i];
        if (o->line == use->line && o->kind == use->kind && o->target != MODEL_NONE &&
            a->model->target[o->target].kind != PP_TARGET_FILE)
            failed += (double)o->sum.errors;
    }
    return failed;
}

/* Calls of the line that came to nothing; negative: it is no such call. */
static double asked_for_nothing(const struct advice *a, const struct advice_use *use)
{
    double calls = (double)use->sum.calls, taken = 0;
    switch (use->kind) {
    case PP_OPERATION_READ:
    case PP_OPERATION_RECEIVE:
    case PP_OPERATION_ACCEPT: return came_too_early(a, use);
    case PP_OPERATION_YIELD: return calls;
    case PP_OPERATION_POLL: break;
    default: return -1;
    }
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *u = &a->use[i];
        bool file = u->target == MODEL_NONE || a->model->target[u->target].kind == PP_TARGET_FILE;
        if (!file &&
            (u->kind == PP_OPERATION_READ || u->kind == PP_OPERATION_RECEIVE || u->kind == PP_OPERATION_ACCEPT))
            taken += (double)(u->sum.calls - u->sum.errors);
    }
    return calls - taken;
}

void advice_spins(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)use->sum.calls, took = (double)use->sum.wall_ns, idle;
        if (calls < LEAST_CALLS || took > MOST_NS * calls || (idle = asked_for_nothing(a, use)) < 0 ||
            idle < (1 - FOUND_MOST) * calls)
            continue;
        double own = a->model->line[use->line].self.ns, cpu = own > 0 ? own : fmin(took, a->cpu_ns);
        double most = fmin(took, MOST_PART * cpu * advice_stretch(a, use->line));
        struct model_advice *to = advice_add(a, ADVICE_spins, use->line, 0, most, SAVING_BOUND);
        if (!to)
            continue;
        char count[FIGURE_BYTES], found[FIGURE_BYTES], time[FIGURE_BYTES];
        to->evidence = arena_print(
            &a->model->arena, "It asked %s times and found something %s times; that took %s of CPU time (%.0f %%).",
            figure_count(count, calls), figure_count(found, fmax(0, calls - idle)), figure_time(time, cpu),
            100 * cpu / fmax(1, a->cpu_ns));
        advice_figure(to, "calls", calls);
        advice_figure(to, "found_calls", fmax(0, calls - idle));
        advice_figure(to, "wall_ns", took);
    }
}
