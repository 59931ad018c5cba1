/* SPDX-License-Identifier: MIT */
/* smallwrites.c: a line that writes a file, a pipe or a socket in many small pieces, one after the other. */
#include "advice/transfers.h"

#include <string.h>

static bool writes_to(const struct advice *a, uint32_t line, uint32_t target)
{
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].line == line && a->use[i].target == target)
            return true;
    return false;
}

/* Whether flushes.c speaks of these writes, at another line of the function. */
static bool is_flushed(const struct advice *a, const struct advice_use *use)
{
    uint32_t function = a->model->line[use->line].function;
    for (size_t i = 0; i < a->model->advice_count; i++)
        if (function != MODEL_NONE && a->model->advice[i].function == function &&
            strcmp(a->model->advice[i].rule, "flushes") == 0 &&
            writes_to(a, a->model->advice[i].line, use->target))
            return true;
    return false;
}

void advice_smallwrites(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        double low, high;
        bool writes = operation_account(a->use[i].kind) == 2 || a->use[i].kind == PP_OPERATION_SEND;
        if (!writes || is_flushed(a, &a->use[i]) ||
            advice_is_committed(a, a->use[i].line) || !transfers_are_small(a, &a->use[i], &low, &high))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_smallwrites, a->use[i].line, low, high, SAVING_MEASURED);
        if (!to)
            continue;
        transfers_tell(a, to, &a->use[i], "writes");
        if (a->model->target[a->use[i].target].kind == PP_TARGET_SOCKET)
            to->action = "put together what belongs together, and send it by one call: from a buffer, or by writev";
        transfers_buffer(a, to, &a->use[i]);
    }
}
