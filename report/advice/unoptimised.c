/* SPDX-License-Identifier: MIT */
/* unoptimised.c: the program was compiled by -O0. It is said once, for all functions. What else could be changed is not
 * known before it is compiled as it will be used. */
#include "advice/advice.h"

#include <math.h>
#include <string.h>

#define LEAST_SHARE 0.2 /* of the run's CPU time, in such functions */
#define LEAST_PART 0.4  /* of their time: what -O2 saves in most programs */
#define MOST_PART 0.8
#define TOLD_PART 0.1 /* of their time, in libraries: less needs no word */

/* The time of the function's lines in libraries and in the kernel, which -O2 leaves as they are. Headers of C++ do not
 * count as libraries: they are compiled with the program. */
static double elsewhere_ns(const struct model *model, uint32_t function)
{
    double ns = model->function[function].system_ns;
    for (size_t i = 0; i < model->callee_count; i++) {
        const struct model_callee *c = &model->callee[i];
        if (model->line[c->line].function == function && c->name && !strstr(c->name, "::") &&
            strncmp(c->name, "operator", 8) != 0)
            ns += c->self_ns - c->system_ns;
    }
    return ns;
}

void advice_unoptimised(struct advice *a)
{
    const struct model *model = a->model;
    const struct model_remark *hottest = NULL;
    double ns = 0, elsewhere = 0, low, high, unused;
    for (size_t i = 0; i < model->remark_count; i++) {
        const struct model_remark *r = &model->remark[i];
        if (r->kind != PP_REMARK_UNOPTIMIZED || r->function == MODEL_NONE)
            continue;
        ns += r->self_ns;
        elsewhere += fmin(r->self_ns, elsewhere_ns(model, r->function));
        if (!hottest || r->self_ns > hottest->self_ns)
            hottest = r;
    }
    if (!hottest || ns < LEAST_SHARE * a->cpu_ns)
        return;
    advice_gain(a, MODEL_NONE, LEAST_PART * (ns - elsewhere), 0, &low, &unused);
    advice_gain(a, MODEL_NONE, MOST_PART * (ns - elsewhere), 0, &unused, &high);
    struct model_advice *to = advice_add(a, ADVICE_unoptimised, MODEL_NONE, low, high, SAVING_BOUND);
    if (!to)
        return;
    char time[FIGURE_BYTES];
    to->function = hottest->function;
    to->file = hottest->file;
    to->at = hottest->line;
    to->evidence =
        arena_print(&a->model->arena, "Functions compiled with -O0 took %s of CPU time (%.0f %%), most of it in %s.",
                    figure_time(time, ns), 100 * ns / a->cpu_ns, model->function[hottest->function].name);
    if (elsewhere > TOLD_PART * ns)
        to->evidence =
            arena_print(&a->model->arena, "%s %s of that was in libraries and the kernel, which stay as they are.",
                        to->evidence, figure_time(time, elsewhere));
    advice_figure(to, "cpu_ns", ns);
    advice_figure(to, "elsewhere_ns", elsewhere);
}
