/* SPDX-License-Identifier: MIT */
/* sleeps.c: a line that sleeps again and again on the way to the run's end. Silent where the sleep is known to wait for
 * nothing: it keeps a pace. Where the compiler says that its loop only looks at memory, it says which. */
#include "advice/ticks.h"

#include <math.h>
#include <string.h>

#define PIECES 0.1      /* of the sleeps: so many more or fewer pieces are given */
#define LEAST_COME 0.5  /* of the sleeps: so often the loop around was given something */
#define TIMED_OUT 0.9    /* of waits for a condition: so many ended by their limit */
#define MOSTLY_FIRST 0.5 /* of their time, in the first thread */
#define LEAST_ALONE 0.6 /* of the time of the sleeps: so long no other thread was there */

/* Does its loop wait for what comes, and sleep once it has come, as one that plays a device does? */
static bool follows_a_wait(const struct advice *a, const struct advice_use *use)
{
    const struct model_line *at = &a->model->line[use->line];
    const struct model_remark *loop = remark_loop(a->model, at->file, at->line);
    double came = 0;
    for (size_t i = 0; loop && i < a->use_count; i++) {
        const struct advice_use *u = &a->use[i];
        const struct model_line *line = &a->model->line[u->line];
        bool takes = operation_account(u->kind) == 1 || u->kind == PP_OPERATION_RECEIVE;
        if (takes && u->sum.wait_ns && line->line >= loop->loop_first && line->line <= loop->loop_last &&
            strcmp(line->file, loop->file) == 0)
            came += (double)(u->sum.calls - u->sum.errors);
    }
    return came >= LEAST_COME * (double)use->sum.calls;
}

/* Does its function, or one below, give somebody a piece for each sleep, or put it on the disk? Then the sleep is its
 * pace. */
static bool keeps_a_pace(const struct advice *a, const struct advice_use *use)
{
    const struct model *model = a->model;
    uint32_t function = model->line[use->line].function;
    for (size_t i = 0; function != MODEL_NONE && i < a->use_count; i++) {
        const struct advice_use *u = &a->use[i];
        bool sends = u->kind == PP_OPERATION_SEND || u->kind == PP_OPERATION_WRITE;
        bool gives = sends && u->target != MODEL_NONE && model->target[u->target].kind != PP_TARGET_FILE;
        if ((gives || u->kind == PP_OPERATION_SYNC) && u->line != MODEL_NONE &&
            fabs((double)u->sum.calls - (double)use->sum.calls) <= PIECES * (double)use->sum.calls &&
            (model->line[u->line].function == function ||
             advice_is_below(model, model->line[u->line].function, function)))
            return true;
    }
    return false;
}

/* There is time without other threads for most of the sleeps, and it goes on after each, whatever happened: it has no
 * loop of its own. */
static bool is_alone(const struct advice *a, const struct advice_use *use)
{
    const struct model_line *at = &a->model->line[use->line];
    double there = 0;
    for (size_t i = 0; i < a->model->group_count; i++)
        there += (double)a->model->group[i].union_ns;
    return a->others.threads >= 1 && !a->others.unseen &&
           a->wall_ns - there >= LEAST_ALONE * (double)use->sum.wait_ns && !remark_loop(a->model, at->file, at->line);
}

/* What the compiler says of its loop, or NULL. */
static const struct model_remark *remark_of(const struct advice *a, const struct advice_use *use, unsigned kind)
{
    const struct model_line *at = &a->model->line[use->line];
    const struct model_remark *r;
    for (size_t next = 0; (r = remark_at_line(a->model, at->file, at->line, &next));)
        if (r->kind == kind)
            return r;
    return NULL;
}

/* What the loop looks at: in copies of a function that was inlined it may be this here and that there. */
static const char *watched(struct arena *arena, const struct advice *a, const struct advice_use *use)
{
    const struct model_line *at = &a->model->line[use->line];
    const struct model_remark *r;
    const char *names = "", *last = "";
    for (size_t next = 0; (r = remark_at_line(a->model, at->file, at->line, &next));) {
        if (r->kind != PP_REMARK_WATCH || strcmp(r->detail, last) == 0 || strcmp(r->detail, "memory") == 0)
            continue;
        last = r->detail;
        names = arena_print(arena, "%s%s%s", names, names[0] ? " or " : "", last);
    }
    return names;
}

/* Its loop waits for memory to change: names that, and who else looks for something in the same way. */
static void watch_tell(struct advice *a, struct model_advice *to, const struct advice_use *use)
{
    struct arena *arena = &a->model->arena;
    const char *names = watched(arena, a, use), *others = "";
    bool named = names[0];
    const char *what = named ? names : "what it looks at";
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].kind == PP_OPERATION_SLEEP && a->use[i].line != use->line &&
            remark_of(a, &a->use[i], PP_REMARK_WATCH))
            others = arena_print(arena, "%s%s line %u", others, others[0] ? "," : " So does",
                                 a->model->line[a->use[i].line].line);
    advice_title(a, to, advice_subject(a, use->line),
                 arena_print(arena, "sleeps until %s changes", named ? what : "memory"));
    to->evidence = arena_print(arena, "%s Between sleeps the loop does nothing but look at %s.%s%s", to->evidence,
                               named ? what : "memory", others, others[0] ? "." : "");
    if (a->others.threads >= 1)
        to->action = arena_print(arena,
                                 "wait by pthread_cond_wait, and let the thread that changes %s do that with the lock "
                                 "held and call pthread_cond_signal; or let it write to an eventfd, and read that",
                                 what);
    else
        to->action = arena_print(arena,
                                 "let the process that changes %s also write to a pipe or an eventfd, and read that; "
                                 "or wait by sem_wait for a semaphore in shared memory",
                                 what);
}

/* Waits for a condition that end by their time limit: nobody signals, or something else. A wait without a limit never
 * fails. A thread that others wait for may keep a pace by it, so that the first one alone is looked at. */
static bool is_timed_out(const struct advice_use *use)
{
    return use->kind == PP_OPERATION_CONDITION && (double)use->sum.errors >= TIMED_OUT * (double)use->sum.calls &&
           advice_first_part(&use->sum) >= MOSTLY_FIRST;
}

static void limits_tell(struct advice *a)
{
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        struct ticks t;
        char time[FIGURE_BYTES];
        if (!is_timed_out(use) || !ticks_of(a, use, &t) || keeps_a_pace(a, use))
            continue;
        struct model_advice *to =
            advice_add(a, ADVICE_sleeps, use->line, t.low_ns, t.high_ns, t.is_bound ? SAVING_BOUND : SAVING_MEASURED);
        if (!to)
            continue;
        ticks_tell(a, to, use, &t, "waits");
        advice_title(a, to, advice_subject(a, use->line), "waits for a condition until its time is up");
        to->evidence = arena_print(&a->model->arena,
                                   "%s %.0f %% of them ended by their limit of %s: nobody signalled the condition.",
                                   to->evidence, 100 * (double)use->sum.errors / t.calls, figure_time(time, t.mean_ns));
        to->action = "let the thread that makes it true call pthread_cond_signal, with the lock held, and wait by "
                     "pthread_cond_wait";
        to->before = "while (!count) pthread_cond_timedwait(&filled, &lock, &soon);";
        to->after = "count++; pthread_cond_signal(&filled);    /* where it is made */\n"
                    "while (!count) pthread_cond_wait(&filled, &lock);";
    }
}

void advice_sleeps(struct advice *a)
{
    limits_tell(a);
    for (size_t i = 0; i < a->use_count; i++) {
        const struct advice_use *use = &a->use[i];
        struct ticks t;
        if (use->kind != PP_OPERATION_SLEEP || !ticks_of(a, use, &t))
            continue;
        const struct model_remark *watch = remark_of(a, use, PP_REMARK_WATCH);
        bool paces = remark_of(a, use, PP_REMARK_PACE) || keeps_a_pace(a, use);
        if (!watch && (paces || follows_a_wait(a, use) || is_alone(a, use)))
            continue;
        struct model_advice *to =
            advice_add(a, ADVICE_sleeps, use->line, t.low_ns, t.high_ns, t.is_bound ? SAVING_BOUND : SAVING_MEASURED);
        if (to)
            ticks_tell(a, to, use, &t, "sleeps");
        if (to && watch)
            watch_tell(a, to, use);
    }
}
