/* SPDX-License-Identifier: MIT */
/* rereads.c: a line that opens a file of which the same is read again each time. What was made of it the first time can
 * be kept, so that all passes but the first go, with what the function did with what it read. */
#include "advice/passes.h"

#include <math.h>

#define LEAST_OWN 0.3       /* of the time in calls: then the function that opens the file reads it, too */
#define LEAST_PASS_BYTES 64 /* less is a state that is looked at, not an input */

/* The time of all passes: of the function that opens the file, if it does so each time it is called. */
static double function_ns(const struct advice *a, const struct advice_use *use, const struct passes *p)
{
    uint32_t of = a->model->line[use->line].function;
    const struct model_function *f = of == MODEL_NONE ? NULL : &a->model->function[of];
    if (!f || (f->calls_known && (double)f->calls < 0.9 * p->opens) || p->opens < 0.5 * (double)f->calls)
        return 0;
    return passes_function_ns(a, use);
}

void advice_rereads(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        struct passes p;
        const struct advice_use *use = &p.use;
        double low, high;
        /* A file that is written meanwhile may be another one each time. */
        if (!passes_of(a, &a->use[i], &p) || p.pass_bytes < LEAST_PASS_BYTES || passes_change(a, use, &p) ||
            passes_made(a, use))
            continue;
        struct model_operations all = p.around;
        for (size_t k = 0; k < a->use_count; k++)
            if (operation_account(a->use[k].kind) == 1 && a->use[k].target == use->target)
                operations_add(&all, &a->use[k].sum);
        double in_calls = (double)all.wall_ns, own = function_ns(a, use, &p);
        /* The clocks around many short calls take time, too, and see when the CPU was taken away. */
        double took = own > LEAST_OWN * in_calls ? own : in_calls, most = took / fmax(1, advice_calls_ns(a, &all));
        double part = 1 - p.targets / p.opens;
        advice_gain_part(a, &all, part * most, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_rereads, use->line, low * 0.75, high * 1.25, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], size[FIGURE_BYTES], time[FIGURE_BYTES], files[FIGURE_BYTES];
        const char *what = passes_file(a, use);
        if (p.targets > 1)
            what = arena_print(&a->model->arena, "each of %s files, such as %s,", figure_count(files, p.targets), what);
        to->evidence =
            arena_print(&a->model->arena, "It read %s %s times, %s each time; that and what it made of it took %s.",
                        what, figure_count(count, p.targets > 1 ? round(p.opens / p.targets) : p.again),
                        figure_size(size, p.pass_bytes), figure_time(time, took));
        advice_figure(to, "calls", p.again);
        advice_figure(to, "bytes", p.pass_bytes * p.again);
        advice_figure(to, "wall_ns", took);
        advice_rule_out(a, to, "the file changed meanwhile: %s",
                        p.written_bytes > 0 ? "this program wrote it before" : "it was not written by this program");
    }
}
