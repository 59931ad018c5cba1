/* SPDX-License-Identifier: MIT */
/* syncs.c: a line that asks the disk to confirm what little was written, again and again, or small writes that wait for
 * it, each of them. One confirmation for many records costs about what one for a single record costs, so nearly all of
 * them can go. */
#include "advice/advice.h"

#include <math.h>

#define LEAST_CALLS 8
#define DIRECT_MORE 1.25 /* of the calls' time: what the kernel does after them for a write that it confirms */
#define MOST_PART 1.15   /* of the calls' time: the next write waits for what the disk still does */
#define LEAST_PART 0.8   /* disks take longer for much than for little: the last confirmation waits for all of it */
#define TOGETHER 16.0    /* records that one confirmation can cover without much delay: all but 1 of 16 go at least */

#define FEW_WRITES 8.0   /* between two confirmations */
#define MANY_WRITES 20.0 /* they are collected already: it is told only where much of the run is left to save */
#define MUCH 0.15

#define HELD_LEAST 0.5 /* of the calls' time others waited for a lock that the caller held */
#define HELD_PART 0.7

/* What was written by the program between two confirmations; negative: nothing is known of writes. */
static double writes_between(const struct advice *a, double syncs)
{
    double writes = 0;
    for (size_t i = 0; i < a->use_count; i++)
        if (operation_account(a->use[i].kind) == 2)
            writes += (double)a->use[i].sum.calls;
    return writes > 0 ? writes / syncs : -1;
}

/* Where the file is opened with O_SYNC or O_DSYNC, each write is a confirmation. */
static void direct_tell(struct advice *a, const struct advice_use *use)
{
    double calls = (double)use->sum.calls, took = (double)use->sum.wall_ns, low, high;
    if (!advice_writes_wait(a->model, use->kind, &use->sum, use->target) || advice_is_committed(a, use->line))
        return;
    advice_gain_part(a, &use->sum, 1, &low, &high);
    struct model_advice *to =
        advice_add(a, ADVICE_syncs, use->line, low * (1 - 1 / TOGETHER), high * DIRECT_MORE, SAVING_MEASURED);
    if (!to)
        return;
    char count[FIGURE_BYTES], size[FIGURE_BYTES], time[FIGURE_BYTES], each[FIGURE_BYTES];
    to->evidence = arena_print(&a->model->arena,
                               "%s writes of %s each took %s, %s each, most of it waiting: what is only kept for the "
                               "disk takes a few microseconds.",
                               figure_count(count, calls), figure_size(size, (double)use->sum.bytes / calls),
                               figure_time(time, took), figure_time(each, took / calls));
    advice_title(a, to, advice_subject(a, use->line), "waits for the disk at each small write");
    to->action = "where the file is opened with O_SYNC or O_DSYNC, leave that out and call fdatasync once after many "
                 "records; else collect records and write them together";
    to->before = "fd = open(path, O_WRONLY | O_DSYNC);\nfor (i = 0; i < n; i++) write(fd, &r[i], sizeof r[i]);";
    to->after = "fd = open(path, O_WRONLY);\nfor (i = 0; i < n; i++) write(fd, &r[i], sizeof r[i]);\nfdatasync(fd);";
    advice_figure(to, "calls", calls);
    advice_figure(to, "wall_ns", took);
    advice_figure(to, "wait_ns", (double)use->sum.wait_ns);
}

/* Whether threads do it one after the other, as each waits for a lock that the one before holds meanwhile. */
static bool is_held(const struct advice *a, const struct advice_use *use)
{
    double ns = 0;
    for (size_t i = 0; i < a->model->hold_count; i++)
        ns += a->model->hold[i].own_line == use->line ? (double)a->model->hold[i].own_ns : 0;
    return ns > HELD_LEAST * (double)use->sum.wall_ns;
}

/* How much shorter the run can be if these calls do not take their time: CPUs compute the rest. */
static double free_ns(const struct advice *a, double took)
{
    double cpus = a->model->run.cpu_count ? (double)a->model->run.cpu_count : 2;
    cpus = fmin(cpus, a->others.threads + 1);
    return fmin(took, fmax(0, a->run_ns - a->cpu_ns / cpus + took / cpus));
}

static void mapped_tell(struct advice *a, struct model_advice *to)
{
    advice_title(a, to, advice_subject(a, to->line), "waits for the disk after every few changes of a mapped file");
    to->action = "change several records, then call msync once for all of them; or let a thread call it while the next "
                 "records are made";
    to->before = "for (i = 0; i < n; i++) { map[at[i]]++; msync(page(map, at[i]), 4096, MS_SYNC); }";
    to->after = "for (i = 0; i < n; i++) map[at[i]]++;\nmsync(map, bytes, MS_SYNC);";
}

void advice_syncs(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++)
        direct_tell(a, &a->use[i]);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        double calls = (double)use->sum.calls, took = (double)use->sum.wall_ns, low, high;
        if (use->kind != PP_OPERATION_SYNC || calls < LEAST_CALLS || advice_is_committed(a, use->line))
            continue;
        advice_gain_part(a, &use->sum, 1, &low, &high);
        if (is_held(a, use)) { /* one after the other: all of it is on the way to the end, as far as CPUs are free */
            high = fmin(high, fmax(low, free_ns(a, took)));
            low = fmax(low, HELD_PART * high);
        }
        double writes = writes_between(a, calls);
        if (writes > MANY_WRITES && low < MUCH * a->run_ns)
            continue;
        struct model_advice *to = advice_add(a, ADVICE_syncs, use->line, LEAST_PART * low * (1 - 1 / TOGETHER),
                                             MOST_PART * high * (1 - 1 / calls), SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], time[FIGURE_BYTES], each[FIGURE_BYTES];
        bool mapped = use->target == MODEL_NONE; /* it is given memory, and no descriptor */
        to->evidence = arena_print(&a->model->arena, "%s %s calls took %s, %s each.", figure_count(count, calls),
                                   mapped ? "msync" : "fsync", figure_time(time, took),
                                   figure_time(each, took / calls));
        if (mapped)
            mapped_tell(a, to);
        if (writes > 0)
            to->evidence = arena_print(&a->model->arena, "%s Between two of them there %s %.3g %s.", to->evidence,
                                       writes < 1.005 ? "is" : "are", writes, writes < 1.005 ? "write" : "writes");
        if (writes > FEW_WRITES)
            advice_title(a, to, advice_subject(a, use->line),
                         arena_print(&a->model->arena, "waits for the disk after every %.0f writes", writes));
        advice_figure(to, "calls", calls);
        advice_figure(to, "wall_ns", took);
        advice_figure(to, "wait_ns", (double)use->sum.wait_ns);
    }
}
