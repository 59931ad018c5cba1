/* SPDX-License-Identifier: MIT */
/* failures.c: a line whose reads, writes or accepts fail almost each time, because no descriptor was open or a file
 * refuses them. What fails on pipes and sockets may only have come too early: spins.c. */
#include "advice/advice.h"

#define LEAST_CALLS 1000
#define LEAST_FAILED 0.95
#define LEAST_PART 0.9 /* of the calls' time */
#define MOST_PART 1.3  /* entering the kernel slows what comes after */

static bool moves_data(enum pp_operation_kind kind)
{
    return kind <= PP_OPERATION_SPLICE || kind == PP_OPERATION_RECEIVE || kind == PP_OPERATION_SEND ||
           kind == PP_OPERATION_ACCEPT;
}

/* Why the line's calls fail, where that is known; NULL: it is not. A program may be kept from asking what descriptors
 * lead to, so others must be known. */
static const char *reason(const struct advice *a, const struct advice_use *use)
{
    const struct model *model = a->model;
    double closed = 0;
    const char *refused = NULL;
    for (size_t i = 0; i < model->operation_count; i++) {
        const struct model_operation *o = &model->operation[i];
        if (o->line != use->line || o->kind != use->kind)
            continue;
        if (o->target == MODEL_NONE)
            closed += (double)o->sum.errors;
        else if (model->target[o->target].kind != PP_TARGET_FILE && o->sum.errors)
            return NULL;
        else if (o->sum.errors)
            refused = model->target[o->target].name;
    }
    return closed >= (double)use->sum.errors / 2 ? (model->target_count ? "no descriptor was open (EBADF)" : NULL)
                                                 : arena_print(&a->model->arena, "%s cannot be used so", refused);
}

void advice_failures(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)use->sum.calls, failed = (double)use->sum.errors, low, high;
        const char *why =
            moves_data(use->kind) && calls >= LEAST_CALLS && failed >= LEAST_FAILED * calls ? reason(a, use) : NULL;
        if (!why)
            continue;
        struct model_operations sum = use->sum;
        sum.wait_ns = 0; /* what fails at once does not wait */
        advice_gain_part(a, &sum, failed / calls, &low, &high);
        struct model_advice *to =
            advice_add(a, ADVICE_failures, use->line, LEAST_PART * low, MOST_PART * high, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], all[FIGURE_BYTES], time[FIGURE_BYTES];
        to->evidence = arena_print(&a->model->arena, "%s of %s calls (%s) failed here, and took %s: %s.",
                                   figure_count(count, failed), figure_count(all, calls), operation_name(use->kind),
                                   figure_time(time, (double)use->sum.wall_ns), why);
        advice_figure(to, "calls", calls);
        advice_figure(to, "failed_calls", failed);
        advice_figure(to, "wall_ns", (double)use->sum.wall_ns);
    }
}
