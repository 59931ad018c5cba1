/* SPDX-License-Identifier: MIT */
/* atomics.c: a hot loop that adds to a shared variable by an atomic operation in each step. Such an operation takes
 * some 20 cycles on its own, and several times that while other threads use the variable, too. */
#include "advice/loops.h"

#include <string.h>

#define LEAST_SHARE 0.15 /* of the run's CPU time, on the line, or in the loop */
#define MOST_LINES 4      /* of a loop that does little else */
#define LEAST_STEP_NS 1   /* less: it is not done in each step */
#define LEAST_PART 0.6    /* of that time; the rest of the loop stays */
#define MOST_PART 1       /* adding alone can be done for several elements at once */

/* Several additions can be joined into one. Taking, exchanging and comparing cannot. */
static bool is_sum(const char *name)
{
    static const char *const sums[] = { "fetch_add", "fetch_sub", "fetch_or",  "fetch_and", "fetch_xor", "add_fetch",
                                        "sub_fetch", "or_fetch",  "and_fetch", "xor_fetch", "fetch_and_add",
                                        "add_and_fetch" };
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        if (strstr(name, sums[i]))
            return true;
    return false;
}

void advice_atomics(struct advice *a)
{
    struct advice_loop loop;
    for (size_t next = 0; loop_next(a, &next, &loop);) {
        const struct model_remark *atomic = loop_remark(a, &loop, PP_REMARK_ATOMIC);
        if (!atomic || !is_sum(atomic->detail))
            continue;
        /* what comes after it waits, and samples fall there: in a short loop all time is its */
        bool alone = loop.remark->loop_last - loop.remark->loop_first <= MOST_LINES;
        double ns = alone ? loop.cpu_ns : remark_line_ns(a, atomic), low, high, unused;
        uint32_t line = ns >= LEAST_SHARE * a->cpu_ns ? remark_line(a, atomic, &loop) : MODEL_NONE;
        if (line == MODEL_NONE || (loop.steps > 0 && ns < LEAST_STEP_NS * loop.steps))
            continue;
        /* threads do it side by side: what one of them gains is the run's */
        advice_gain(a, line, LEAST_PART * ns, 0, &low, &unused);
        advice_gain(a, line, MOST_PART * ns, 0, &high, &unused);
        struct model_advice *to = advice_add(a, ADVICE_atomics, line, low, high, SAVING_MEASURED);
        if (!to)
            continue;
        char each[FIGURE_BYTES];
        if (!alone)
            to->evidence = arena_print(&a->model->arena, "%s, %s of it at an atomic operation in line %u",
                                       loop_time(a, &loop), figure_time(each, ns), atomic->line);
        else
            to->evidence = arena_print(&a->model->arena, "%s, and does an atomic operation in line %u",
                                       loop_time(a, &loop), atomic->line);
        to->evidence = loop.steps > 0 ? arena_print(&a->model->arena, "%s: %s in each step.", to->evidence,
                                                    figure_time(each, ns / loop.steps))
                                      : arena_print(&a->model->arena, "%s.", to->evidence);
        advice_figure(to, "cpu_ns", ns);
        if (loop.steps > 0)
            advice_figure(to, "steps", loop.steps);
    }
}
