/* SPDX-License-Identifier: MIT */
/* growths.c: a hot nest of loops whose work grows faster than its size. Steps and sizes are exact, and a law is named
 * only if it holds over five sizes or more. Whether the work can be done otherwise is not known, so the saving is a
 * bound. */
#include "advice/loops.h"

#include <math.h>

#define LEAST_POWER 1.5
#define LEAST_SHARE_NEST 0.1

void advice_growths(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *r = loop.remark;
        if (!r->growth || r->growth_power < LEAST_POWER || loop.share < LEAST_SHARE_NEST)
            continue;
        struct model_advice *to = loop_add(a, ADVICE_growths, &loop, r, 0, loop.cpu_ns);
        if (!to)
            continue;
        double low, high;
        char least[FIGURE_BYTES], most[FIGURE_BYTES], again[FIGURE_BYTES];
        advice_gain(a, loop.line, loop.cpu_ns, 0, &low, &high);
        to->kind = SAVING_BOUND;
        to->low_ns = 0;
        to->high_ns = fmin(high, a->run_ns);
        to->evidence = arena_print(&a->model->arena,
                                   "%s; the steps of the loops around it grow as %s over %u sizes, from %s to %s: "
                                   "twice the size takes %s times as many.",
                                   loop_time(a, &loop), r->growth, r->growth_sizes,
                                   figure_count(least, r->growth_least), figure_count(most, r->growth_most),
                                   figure_count(again, round(exp2(r->growth_power))));
        advice_figure(to, "power", r->growth_power);
        advice_figure(to, "sizes", r->growth_sizes);
    }
}
