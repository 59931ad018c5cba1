/* SPDX-License-Identifier: MIT */
/* smallreads.c: a line that reads a file, a pipe or a socket in many small pieces, one after the other. */
#include "advice/transfers.h"

static bool is_small(const struct advice *a, const struct advice_use *use, double *low_ns, double *high_ns)
{
    bool reads = operation_account(use->kind) == 1 || use->kind == PP_OPERATION_RECEIVE;
    return reads && transfers_are_small(a, use, low_ns, high_ns);
}

void advice_smallreads(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        struct transfers t;
        if (!transfers_join(a, i, is_small, &t))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_smallreads, t.line, t.low_ns, t.high_ns, SAVING_MEASURED);
        if (!to)
            continue;
        struct advice_use use = a->use[i];
        transfers_tell_joined(a, to, &use, &t, "reads");
        if (a->model->target[use.target].kind == PP_TARGET_SOCKET)
            to->action = "read what has come into a buffer of some KiB by one call, and take the pieces from there";
        use.line = t.line;
        transfers_buffer(a, to, &use);
    }
}
