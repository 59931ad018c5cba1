/* SPDX-License-Identifier: MIT */
/* denormals.c: a hot loop that multiplies a floating-point number in each step and lets it come near 0. Numbers below
 * the smallest normal one take longer: a few cycles to more than a hundred each. That some were computed the CPU says
 * itself; that it was in this loop is likely, because no other loop of the kind has so much time. */
#include "advice/loops.h"

#include <math.h>

#define CHAIN_LEAST_NS 0.5 /* of a step otherwise: one multiplication and one addition that wait for each other */
#define CHAIN_MOST_NS 3.5
#define LEAST_PART 0.4 /* where they take a few cycles */
#define MOST_PART 0.8

/* Where its function was inlined, the loop has all that the function's lines take. */
static double inlined_ns(const struct advice *a, const struct model_remark *decay)
{
    uint32_t at = remark_line(a, decay, NULL), function = at == MODEL_NONE ? MODEL_NONE : a->model->line[at].function;
    double ns = -remark_own_ns(a, decay);
    if (function == MODEL_NONE || !a->model->function[function].inlined)
        return 0;
    for (size_t i = 0; i < a->model->line_count; i++)
        ns += a->model->line[i].function == function ? a->model->line[i].self.ns : 0;
    return fmax(0, ns);
}

/* The next loop that may have them, and its remark. */
static const struct model_remark *decay_next(const struct advice *a, size_t *next, struct advice_loop *loop)
{
    while (*next < a->model->remark_count) {
        const struct model_remark *decay = &a->model->remark[(*next)++];
        if (decay->kind != PP_REMARK_DECAY || !decay->loop_first || !loop_of(a, decay, loop))
            continue;
        if (decay->line < decay->loop_first || decay->line > decay->loop_last) {
            uint32_t at = remark_line(a, decay, loop);
            if (advice_has(a, ADVICE_denormals, a->model->line[at].function))
                continue;
            loop->cpu_ns += inlined_ns(a, decay);
            loop->share = loop->cpu_ns / a->cpu_ns;
        }
        return decay;
    }
    return NULL;
}

void advice_denormals(struct advice *a)
{
    struct advice_loop loop;
    const struct model_remark *decay;
    if (!a->model->run.has_denormals)
        return;
    for (size_t next = 0; (decay = decay_next(a, &next, &loop));) {
        double step = loop.steps > 0 ? loop.cpu_ns / loop.steps : -1, low = LEAST_PART, high = MOST_PART;
        if (step >= 0 && step < CHAIN_LEAST_NS)
            continue;
        if (step > 0) {
            low = fmax(low, 1 - CHAIN_MOST_NS / step);
            high = fmax(high, 1 - CHAIN_LEAST_NS / step);
        }
        struct model_advice *to =
            loop_add(a, ADVICE_denormals, &loop, decay, low * loop.cpu_ns, high * loop.cpu_ns);
        if (!to)
            continue;
        char each[FIGURE_BYTES];
        to->evidence = arena_print(&a->model->arena,
                                   "%s; it multiplies %s in each step, nothing stops that near 0, and the CPU has met "
                                   "denormal operands.",
                                   loop_time(a, &loop), decay->detail);
        if (step > 0)
            to->evidence = arena_print(&a->model->arena, "%s A step takes %s.", to->evidence, figure_time(each, step));
    }
}
