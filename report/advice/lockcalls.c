/* SPDX-License-Identifier: MIT */
/* lockcalls.c: a lock that is taken and given back for each little piece of work, so that this takes a large part of the
 * CPU time, even where hardly anybody waits for it. Where threads do wait, locks.c tells who holds it. */
#include "advice/library.h"

#define LEAST_SHARE 0.15 /* of the CPU time, at lines of one function */
/* How much of that time is saved: other work goes on while a processor takes a lock; and what the lock protects comes
 * from other CPUs' caches, too. */
#define LEAST_PART 0.55
#define MOST_PART 1.1

/* The time that the lines of one function spend in locks, without the kernel's part, which is that of waits. */
static double function_ns(const struct advice *a, const struct library_use *use, uint32_t function, uint64_t *samples)
{
    double ns = 0;
    for (size_t i = 0; i < use->count; i++)
        if (a->model->line[use->line[i].line].function == function) {
            ns += use->line[i].ns - use->line[i].system_ns;
            *samples += use->line[i].samples;
        }
    return ns;
}

static bool is_first(const struct advice *a, const struct library_use *use, size_t at)
{
    for (size_t i = 0; i < at; i++)
        if (a->model->line[use->line[i].line].function == a->model->line[use->line[at].line].function)
            return false;
    return true;
}

void advice_lockcalls(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_LOCK);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint64_t samples = 0;
        double ns = function_ns(a, &use, a->model->line[at->line].function, &samples);
        if (library_share(a, ns) < LEAST_SHARE || !is_first(a, &use, i))
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
