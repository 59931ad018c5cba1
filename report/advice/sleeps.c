/* SPDX-License-Identifier: MIT */
/* sleeps.c: a line that sleeps again and again on the way to the run's end. */
#include "advice/ticks.h"

void advice_sleeps(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        struct ticks t;
        if (use->kind != PP_OPERATION_SLEEP || !ticks_of(a, use, &t))
            continue;
        struct model_advice *to = advice_add(a, ADVICE_sleeps, use->line, t.low_ns, t.high_ns,
                                             t.is_bound ? SAVING_BOUND : SAVING_MEASURED);
        if (to)
            ticks_tell(a, to, use, &t, "sleeps");
    }
}
