/* SPDX-License-Identifier: MIT */
/* exceptions.c: exceptions that are thrown so often that unwinding the stack is a good part of the time. */
#include <string.h>

#include "advice/library.h"

#define LEAST_SHARE 0.05
/* The text of an exception is made and given back, too, and unwinding drives code out of the caches. */
#define LEAST_PART 0.85
#define MOST_PART 1.4

void advice_exceptions(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_THROW);
    const struct library_line *at = NULL;
    for (size_t i = 0; i < use.count && !at; i++)
        at = strncmp(use.line[i].name, "_Unwind_", 8) != 0 ? &use.line[i] : NULL;
    if (!at || library_share(a, use.ns) < LEAST_SHARE)
        return;
    struct model_advice *to = library_advise(a, ADVICE_exceptions, at, use.ns, use.samples, LEAST_PART, MOST_PART);
    char time[FIGURE_BYTES];
    if (to)
        to->evidence = arena_print(&a->model->arena,
                                   "Throwing and unwinding took %s, %.0f %% of the CPU time, most of it from here.",
                                   figure_time(time, use.ns), 100 * library_share(a, use.ns));
}
