/* SPDX-License-Identifier: MIT */
/* lockcalls.c: a lock that is taken and given back for each little piece of work, so that this takes a large part of
 * the CPU time, even where hardly anybody waits for it. Where threads do wait, locks.c tells who holds it. */
#include "advice/library.h"

#define LEAST_SHARE 0.15 /* of the CPU time, at lines of one function */
/* How much of that time is saved: other work goes on while a processor takes a lock; and what the lock protects comes
 * from other CPUs' caches, too. */
#define LEAST_PART 0.55
#define MOST_PART 1.1

void advice_lockcalls(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_LOCK);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint64_t samples = 0;
        double ns = library_function_ns(a, &use, a->model->line[at->line].function, true, &samples);
        if (library_share(a, ns) < LEAST_SHARE || !library_is_first(a, &use, i))
            continue;
        struct model_advice *to = library_advise(a, ADVICE_lockcalls, at, ns, samples, LEAST_PART, MOST_PART);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "Taking and giving back locks took %s here, %.0f %% of the CPU time.",
                        figure_time(time, ns), 100 * library_share(a, ns));
    }
}
