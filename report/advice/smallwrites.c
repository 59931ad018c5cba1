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

static bool is_small(const struct advice *a, const struct advice_use *use, double *low_ns, double *high_ns)
{
    bool writes = operation_account(use->kind) == 2 || use->kind == PP_OPERATION_SEND;
    return writes && !is_flushed(a, use) && !advice_is_committed(a, use->line) &&
           transfers_are_small(a, use, low_ns, high_ns);
}

void advice_smallwrites(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        struct transfers t;
        if (!transfers_join(a, i, is_small, &t))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_smallwrites, t.line, t.low_ns, t.high_ns, SAVING_MEASURED);
        if (!to)
            continue;
        struct advice_use use = a->use[i];
        transfers_tell_joined(a, to, &use, &t, use.kind == PP_OPERATION_SEND ? "sends" : "writes");
        if (a->model->target[use.target].kind == PP_TARGET_SOCKET)
            to->action = "put together what belongs together, and send it by one call: from a buffer, or by writev; "
                         "where nobody waits for an answer, collect several messages in that buffer";
        use.line = t.line;
        transfers_buffer(a, to, &use);
    }
}
