/* SPDX-License-Identifier: MIT */
/* reopens.c: a line that opens a file, of which little is used before it is closed and opened again. */
#include "advice/passes.h"

#include <math.h>

#define LEAST_OPENS 16 /* a file that is written anew a few times has to be opened for that */
#define BUFFER_BYTES 4096.0
#define LEAST_PART 0.7
#define MOST_PART 1.4  /* memory for the stream and its buffer, too; and what is opened and closed leaves the caches \
                         */
#define LEAST_MADE 1000 /* opens of what the kernel makes anew: a look at it now and then is worth its time */

/* Closing a stream writes what its buffer has: by fclose, whose time is all booked as that of the write, or by a close
 * of its own at the same line. If it stays open, that is written when the buffer is full. */
static bool is_closing(const struct advice *a, const struct advice_use *write, const struct advice_use *use)
{
    bool closes = false;
    for (size_t i = 0; i < a->model->operation_count; i++) {
        const struct model_operation *o = &a->model->operation[i];
        if (o->kind != PP_OPERATION_CLOSE || o->target != use->target)
            continue;
        if (o->line == write->line)
            return true;
        closes = true;
    }
    return !closes;
}

/* Whether there was such a write. */
static bool closing_add(const struct advice *a, const struct advice_use *use, struct passes *p)
{
    bool writes = false;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *u = &a->use[i];
        double calls = (double)u->sum.calls, stay = (double)u->sum.bytes / (BUFFER_BYTES * fmax(1, calls));
        if (u->target == use->target && operation_account(u->kind) == 2 && calls >= 0.9 * p->opens &&
            calls <= 1.1 * p->opens && stay < 1 && is_closing(a, u, use)) {
            passes_add(&p->around, u->sum, 1 - stay);
            writes = true;
        }
    }
    return writes;
}

void advice_reopens(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        struct passes p;
        const struct advice_use *use = &p.use;
        double low, high;
        if (!passes_of(a, &a->use[i], &p) || p.opens < (passes_made(a, use) ? LEAST_MADE : LEAST_OPENS) ||
            advice_is_committed(a, use->line))
            continue;
        bool writes = closing_add(a, use, &p);
        advice_gain_part(a, &p.around, 1 - p.targets / p.opens, &low, &high);
        struct model_advice *to =
            advice_add(a, ADVICE_reopens, use->line, LEAST_PART * low, MOST_PART * high, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES], files[FIGURE_BYTES];
        figure_time(time, (double)p.around.wall_ns);
        figure_count(count, p.opens);
        const char *opened =
            use->targets == 1
                ? arena_print(&a->model->arena, "It opened %s %s times", passes_file(a, use), count)
                : arena_print(&a->model->arena, "It opened %s files %s times, %s most",
                              figure_count(files, p.targets), count, passes_file(a, use));
        double wait = fmin((double)p.around.wait_ns, (double)p.around.wall_ns);
        to->evidence = arena_print(&a->model->arena,
                                   "%s; that and closing%s took %s%s. What a stream allocates, and what leaves the "
                                   "caches meanwhile, comes on top, up to %.0f %% of that.",
                                   opened, writes ? ", with the write that closing makes," : "", time,
                                   advice_in_run(a, advice_threads_stretch(a, advice_first_part(&p.around)),
                                                 (double)p.around.wall_ns - wait, wait),
                                   100 * (MOST_PART - 1));
        advice_figure(to, "calls", p.opens);
        advice_figure(to, "targets", p.targets);
        advice_figure(to, "wall_ns", (double)p.around.wall_ns);
    }
}
