/* SPDX-License-Identifier: MIT */
/* structures.c: a line that copies a structure as a whole, by assignment or as an argument, and on which time goes.
 * Where it is all that a loop does, the loop's time counts: the compiler mixes its instructions with the copy's. */
#include "advice/loops.h"

#include <math.h>

#define LEAST_BYTES 64
#define LEAST_SHARE 0.05 /* of the run's CPU time, on the line */
#define LEAST_PART 0.45  /* of that time; the rest calls, or reads the structure for the first time */
#define MOST_PART 1.1
/* Where it is an argument: what is called reads what was just written, piece by piece, and waits for it. */
#define LEAST_CALLED 0.2 /* of the time of what is called */
#define MOST_CALLED 0.6
#define MOST_TIMES 2.5 /* the line's own time: what is called does other things, too */

static double called_ns(const struct model *model, uint32_t line) { return model->line[line].total.ns; }

void advice_structures(struct advice *a)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind != PP_REMARK_STRUCTURE_COPY || r->value < LEAST_BYTES)
            continue;
        bool alone = r->loop_first && r->loop_last - r->loop_first <= 1;
        uint32_t line = remark_line(a, r, NULL);
        if (line == MODEL_NONE)
            continue;
        double ns = (alone ? r->self_ns : remark_line_ns(a, r)) - model->line[line].faults.ns, low, high, unused;
        if (ns < LEAST_SHARE * a->cpu_ns)
            continue;
        double called = alone ? 0 : fmin(fmax(0, called_ns(model, line) - ns), MOST_TIMES * ns);
        double least = called > LEAST_CALLED * ns ? 0.7 : LEAST_PART;
        advice_gain(a, line, least * ns + LEAST_CALLED * called, 0, &low, &unused);
        advice_gain(a, line, MOST_PART * ns + MOST_CALLED * called, 0, &unused, &high);
        struct model_advice *to = advice_add(a, ADVICE_structures, line, low, high, SAVING_MEASURED);
        if (!to)
            continue;
        char time[FIGURE_BYTES];
        to->evidence = arena_print(
            &a->model->arena, "%s %u took %s of CPU time (%.0f %%), and copies %s%s of %lld bytes each time.",
            alone ? "The loop around line" : "Line", r->line, figure_time(time, ns), 100 * ns / a->cpu_ns,
            r->detail[0] ? "the structure " : "a structure", r->detail, (long long)r->value);
        advice_figure(to, "bytes", (double)r->value);
        advice_figure(to, "cpu_ns", ns);
    }
}
