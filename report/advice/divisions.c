/* SPDX-License-Identifier: MIT */
/* divisions.c: a hot loop that divides by what stays the same in it. A division takes 4 to 20 times as long as a
 * multiplication, and the reciprocal can be computed before the loop. */
#include "advice/loops.h"

#define LEAST_SHARE 0.04 /* of the run's CPU time, on the line that divides */
#define LEAST_PART 0.4   /* of the line's time: the rest is to load, store and multiply */
#define MOST_PART 0.8

void advice_divisions(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *division = loop_remark(a, &loop, PP_REMARK_DIVISION);
        const struct model_remark *root = loop_remark(a, &loop, PP_REMARK_SQUARE_ROOT);
        const struct model_remark *found = division ? division : root;
        double line_ns = found ? remark_line_ns(a, found) : 0;
        if (!found || line_ns < LEAST_SHARE * a->cpu_ns)
            continue;
        struct model_advice *to =
            loop_add(a, ADVICE_divisions, &loop, found, LEAST_PART * line_ns, MOST_PART * line_ns);
        if (!to)
            continue;
        char time[FIGURE_BYTES];
        to->evidence = arena_print(&a->model->arena, "%s, %s of it on line %u, which %s.",
                                   loop_time(a, &loop), figure_time(time, line_ns), found->line, found->text);
        advice_figure(to, "line_ns", line_ns);
        if (division)
            to->action = arena_print(&a->model->arena,
                                     "compute 1 / %s before the loop and multiply by it (the last digit may differ); "
                                     "if it is a whole number, make it a constant or a power of two",
                                     found->detail);
    }
}
