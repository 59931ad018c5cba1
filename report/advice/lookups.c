/* SPDX-License-Identifier: MIT */
/* lookups.c: the kernel is asked again and again whether files are there, by their names. Who opens a file at once is
 * told the same by the error, and what was found by a name can be kept. */
#include "advice/library.h"

#define LEAST_SHARE 0.1 /* of the CPU time, at lines of one function, the kernel's part included */
#define LEAST_PART 0.7
#define MOST_PART 1.15 /* the names are not put together, either */

void advice_lookups(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_LOOK);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint64_t samples = 0;
        double ns = library_function_ns(a, &use, a->model->line[at->line].function, false, &samples);
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &use, i))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_lookups, at, ns, samples, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (to)
            to->evidence = arena_print(&a->model->arena,
                                       "%s took %s here, %.0f %% of the CPU time, most of it in the kernel, which goes "
                                       "through the folders of each path.",
                                       at->name, figure_time(time, ns), 100 * library_share(a, ns));
    }
}
