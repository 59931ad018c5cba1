/* SPDX-License-Identifier: MIT */
/* recursions.c: a function whose result depends on its parameters, and that calls itself several times with numbers
 * near its own. The compiler says so. There are far fewer such numbers than calls, so nearly all calls are repetitions.
 */
#include "advice/library.h"
#include "advice/loops.h"

#define LEAST_SHARE 0.1
#define LEAST_CALLS 1000
#define LEAST_PART 0.8 /* of the function's time, with all that it calls */
#define MOST_PART 1.0

void advice_recursions(struct advice *a)
{
    struct model *model = a->model;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind != PP_REMARK_RECURSION || r->function == MODEL_NONE)
            continue;
        const struct model_function *f = &model->function[r->function];
        double ns = f->total.ns, calls = f->calls_known ? (double)f->calls : -1, low, high;
        uint32_t line = remark_line(a, r, NULL);
        if (library_share(a, ns) < LEAST_SHARE || (calls >= 0 && calls < LEAST_CALLS) || line == MODEL_NONE ||
            advice_has(a, ADVICE_recursions, r->function))
            continue;
        library_gain(a, line, ns, f->total_samples, LEAST_PART, MOST_PART, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_recursions, line, low, high, SAVING_MEASURED);
        char time[FIGURE_BYTES], count[FIGURE_BYTES];
        if (!to)
            continue;
        const char *often = calls >= 0 ? arena_print(&model->arena, " in %s calls", figure_count(count, calls)) : "";
        to->evidence = arena_print(&model->arena,
                                   "It took %s%s, %.0f %% of the CPU time. It changes no memory, and calls itself with "
                                   "numbers near its own, so that most calls compute what an earlier one did.",
                                   figure_time(time, ns), often, 100 * library_share(a, ns));
        advice_figure(to, "calls", calls);
        advice_figure(to, "cpu_ns", ns);
    }
}
