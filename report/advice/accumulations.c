/* SPDX-License-Identifier: MIT */
/* accumulations.c: a hot loop that adds up floating-point numbers one after the other: each addition waits 3 to 4
 * cycles for the one before, although the numbers are there. */
#include "advice/loops.h"

#define LEAST_PART 0.4 /* two sums side by side */
#define MOST_PART 0.8  /* four: no sum waits then, and memory limits the loop */

void advice_accumulations(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *sum = loop_remark(a, &loop, PP_REMARK_ORDERED_SUM);
        if (!sum)
            continue;
        struct model_advice *to = loop_add(a, ADVICE_accumulations, &loop, loop.remark, LEAST_PART * loop.cpu_ns,
                                           MOST_PART * loop.cpu_ns);
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "%s; each addition to %s waits for the one before, as the order of additions "
                        "must not change.", loop_time(a, &loop), sum->detail);
        advice_figure(to, "elements", (double)sum->value);
    }
}
