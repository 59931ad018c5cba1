/* SPDX-License-Identifier: MIT */
/* lengths.c: a line that measures long strings again and again. */
#include "advice/library.h"

#define LEAST_SHARE 0.15
#define LEAST_CALL_NS 100 /* of the function: less is a short string */

void advice_lengths(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_MEASURE);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        double each = library_call_ns(a, at);
        if (library_share(a, at->ns) < LEAST_SHARE || (each >= 0 && each < LEAST_CALL_NS))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_lengths, at, at->ns, at->samples, 0.8, 1.08);
        char time[FIGURE_BYTES];
        if (to)
            to->evidence = arena_print(&a->model->arena,
                                       "Going to the end of a string (%s) took %s here, %.0f %% of the CPU time.",
                                       at->name, figure_time(time, at->ns), 100 * library_share(a, at->ns));
    }
}
