/* SPDX-License-Identifier: MIT */
/* reallocs.c: arrays that are resized so often that it takes a good part of the time. Where sizes double, the time of
 * resizing is a small part of that of filling. */
#include "advice/library.h"

#define LEAST_SHARE 0.12

void advice_reallocs(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_RESIZE);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        if (library_share(a, at->ns) < LEAST_SHARE)
            continue;
        struct model_advice *to = library_advise(a, ADVICE_reallocs, at, at->ns, at->samples, 0.8, 1.2);
        char time[FIGURE_BYTES], kernel[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "%s took %s here, %.0f %% of the CPU time, %s of it in the kernel.", at->name,
                        figure_time(time, at->ns), 100 * library_share(a, at->ns), figure_time(kernel, at->system_ns));
    }
}
