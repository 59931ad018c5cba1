/* SPDX-License-Identifier: MIT */
/* windows.c: a loop that adds up elements of which the walk before has added up all but one, as the compiler says. Of a
 * window as wide as it is, two additions are left. */
#include "advice/loops.h"

#include <math.h>

#define LEAST_SHARE 0.08
#define LEAST_WIDE 12.0 /* elements, in the mean */
#define STEPS_MOST 6.0  /* so many are left: what comes in and goes, and its place */
#define STEPS_LEAST 1.0

void advice_windows(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *window = loop_remark(a, &loop, PP_REMARK_WINDOW);
        double each = window && loop.entries > 0 && loop.remark->is_counted ? loop.steps / loop.entries : 0;
        if (each < LEAST_WIDE || loop.share < LEAST_SHARE)
            continue;
        struct model_advice *to = loop_add(a, ADVICE_windows, &loop, window, (1 - STEPS_MOST / each) * loop.cpu_ns,
                                           (1 - STEPS_LEAST / each) * loop.cpu_ns);
        char count[FIGURE_BYTES], wide[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "%s. It %s: %s times, %s elements in the mean.", loop_time(a, &loop),
                        window->text, figure_count(count, loop.entries), figure_count(wide, round(each)));
        if (window->why[0]) {
            to->before = "for (i = 0; i < n; i++) for (sum[i] = 0, k = 0; k <= i; k++) sum[i] += x[k];";
            to->after = "for (sum[0] = x[0], i = 1; i < n; i++) sum[i] = sum[i - 1] + x[i];";
        }
        advice_figure(to, "entries", loop.entries);
        advice_figure(to, "steps_each", each);
    }
}
