/* SPDX-License-Identifier: MIT */
/* crew.c: see crew.h. */
#include "advice/crew.h"

#include <math.h>

bool crew_find(const struct advice *a, struct crew *c)
{
    *c = (struct crew){ .threads = a->others.threads };
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        if (use->kind == PP_OPERATION_START && (!c->start || use->sum.calls > c->start->sum.calls))
            c->start = use;
        if (use->kind != PP_OPERATION_JOIN)
            continue;
        c->joined_ns += (double)use->sum.first_wall_ns;
        if (!c->join || use->sum.first_wall_ns > c->join->sum.first_wall_ns)
            c->join = use;
    }
    c->cpus = a->model->run.cpu_count ? (double)a->model->run.cpu_count : 2;
    /* Threads of another kind, such as a library's, are few. */
    return c->start && c->join && c->joined_ns > 0 && (double)c->start->sum.calls >= 0.9 * c->threads &&
           fabs((double)c->start->sum.calls - c->threads) <= 1 + 0.1 * c->threads;
}
