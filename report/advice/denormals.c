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

void advice_denormals(struct advice *a)
{
    struct advice_loop loop;
    if (!a->model->run.has_denormals)
        return;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *decay = loop_remark(a, &loop, PP_REMARK_DECAY);
        double step = loop.steps > 0 ? loop.cpu_ns / loop.steps : -1, low = LEAST_PART, high = MOST_PART;
        if (!decay || (step >= 0 && step < CHAIN_LEAST_NS))
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
