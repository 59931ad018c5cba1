/* SPDX-License-Identifier: MIT */
/* smallwrites.c: a line that writes a file in many small pieces, one after the other. */
#include "advice/transfers.h"

/* Whether the file is opened about as often as it is written: then it is closing that writes. */
static bool is_reopened(const struct advice *a, const struct advice_use *use)
{
    struct model_operations sum[PP_OPERATION_COUNT] = { 0 };
    if (use->target == MODEL_NONE)
        return false;
    operations_of_target(a->model, use->target, sum);
    return sum[PP_OPERATION_OPEN].calls > use->sum.calls / 2;
}

void advice_smallwrites(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        double low, high;
        if (operation_account(a->use[i].kind) != 2 || is_reopened(a, &a->use[i]) ||
            !transfers_are_small(a, &a->use[i], &low, &high))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_smallwrites, a->use[i].line, low, high, SAVING_MEASURED);
        if (to)
            transfers_tell(a, to, &a->use[i], "writes");
    }
}
