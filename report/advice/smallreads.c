/* SPDX-License-Identifier: MIT */
/* smallreads.c: a line that reads a file, a pipe or a socket in many small pieces, one after the other. */
#include "advice/transfers.h"

void advice_smallreads(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        double low, high;
        bool reads = operation_account(a->use[i].kind) == 1 || a->use[i].kind == PP_OPERATION_RECEIVE;
        if (!reads || !transfers_are_small(a, &a->use[i], &low, &high))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_smallreads, a->use[i].line, low, high, SAVING_MEASURED);
        if (!to)
            continue;
        transfers_tell(a, to, &a->use[i], "reads");
        if (a->model->target[a->use[i].target].kind == PP_TARGET_SOCKET)
            to->action = "read what has come into a buffer of some KiB by one call, and take the pieces from there";
        transfers_buffer(a, to, &a->use[i]);
    }
}
