/* SPDX-License-Identifier: MIT */
/* processes.c: processes that are started again and again for so little work that their birth and end take most of it,
 * as popen and system do for a word or two. How much of that is the work is not seen, so the saving is a bound. */
#include "advice/advice.h"

#include <math.h>

#define LEAST_PROCESSES 50
#define MOST_NS 10e6    /* a process, with all the waiting for it: a shell that starts a program takes 1 to 3 ms */
#define MOST_STRETCH 3 /* longer, where others had the CPUs */
#define LEAST_SHARE 0.1 /* of the run */
#define WORK_MOST 0.5   /* of that time: processes with a profile that computed more are no little work */

struct births {
    double starts, ends, ns, most_ns;
    uint32_t line; /* where most of that time is of calls that start a process */
};

static double first_ns(const struct advice_use *use) { return (double)use->sum.first_wall_ns; }

static bool is_pipe(const struct advice *a, const struct advice_use *use)
{
    return use->kind == PP_OPERATION_READ && use->target != MODEL_NONE &&
           a->model->target[use->target].kind == PP_TARGET_PIPE;
}

/* Whether the function starts processes or waits for their ends. Then it reads their answers from its pipes. */
static bool has_processes(const struct advice *a, uint32_t function)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        bool is_one = use->kind == PP_OPERATION_CHILD || use->kind == PP_OPERATION_START;
        if (is_one && use->line != MODEL_NONE && a->model->line[use->line].function == function)
            return true;
    }
    return false;
}

static struct births births_find(const struct advice *a)
{
    struct births b = { .line = MODEL_NONE };
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        bool starts = use->kind == PP_OPERATION_START, ends = use->kind == PP_OPERATION_CHILD;
        if (use->line == MODEL_NONE ||
            (!starts && !ends && !(is_pipe(a, use) && has_processes(a, a->model->line[use->line].function))))
            continue;
        b.ns += first_ns(use);
        b.starts += starts ? (double)use->sum.calls : 0;
        b.ends += ends ? (double)use->sum.calls : 0;
        /* system starts a process and waits for it in one call */
        if ((starts || (ends && !b.starts)) && (b.line == MODEL_NONE || first_ns(use) > b.most_ns || !b.starts)) {
            b.line = use->line;
            b.most_ns = first_ns(use);
        }
    }
    return b;
}

void advice_processes(struct advice *a)
{
    struct births b = births_find(a);
    double processes = b.starts > 0 ? fmin(b.starts, b.ends) : b.ends;
    /* a thread's start looks the same */
    if (a->others.threads > 0 || processes < LEAST_PROCESSES || b.ns < LEAST_SHARE * a->run_ns ||
        b.ns > MOST_NS * processes * fmin(MOST_STRETCH, a->stretch) || a->others.busy_ns > WORK_MOST * b.ns)
        return;
    struct model_advice *to = advice_add(a, ADVICE_processes, b.line, 0, fmin(b.ns, a->run_ns), SAVING_BOUND);
    if (!to)
        return;
    char count[FIGURE_BYTES], time[FIGURE_BYTES], each[FIGURE_BYTES];
    to->evidence = arena_print(&a->model->arena,
                               "%s processes%s were started; that, what was read from them and waiting for their ends "
                               "took %s: %s each.",
                               figure_count(count, processes), b.starts > 0 && b.ends > b.starts ? " or more" : "",
                               figure_time(time, b.ns), figure_time(each, b.ns / processes));
    advice_figure(to, "processes", processes);
    advice_figure(to, "wait_ns", b.ns);
}
