/* SPDX-License-Identifier: MIT */
/* imbalance.c: threads of one kind, of which one has much more to compute than the others, so that all wait for
 * it: once, or again in each round of threads that are started together. */
#include "advice/crew.h"

#include <math.h>
#include <stdlib.h>

#include "model/namesake.h"
#include "store/arena.h"

#define IDLE_CPU 0.1      /* of the busiest one's CPU time */
#define IDLE_WAIT 0.7     /* of its life */
#define LEAST_TASK_NS 3e6 /* of CPU time in a function, for it to be what a thread does */
#define LEAST_THREADS 1.5 /* at once, in the mean */
#define MOST_THREADS 256  /* more are started as work comes, and are not meant to be equal */
#define LITTLE_CPU 0.05   /* of the busiest one's CPU time */
#define MOST_WAIT 0.5     /* of the busiest one's life: more, and it is not the others who wait for it */

/* A thread of a pool for which nothing came: it did next to nothing and waited. One with little to do ends early. */
static bool is_idle(const struct advice *a, const struct model_thread *t)
{
    return (double)t->cpu_ns < IDLE_CPU * a->others.most_cpu_ns && (double)t->wait_ns > IDLE_WAIT * (double)t->wall_ns;
}

/* Who waits at a barrier was to work with the others: nothing came for it because it was given too little. */
static bool meets_at_barriers(const struct advice *a)
{
    double at_barriers = 0, waits = 0;
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].kind == PP_OPERATION_BARRIER)
            at_barriers += (double)a->use[i].sum.wait_ns * (1 - advice_first_part(&a->use[i].sum));
    for (size_t i = 0; i < a->model->thread_count; i++)
        if (!thread_is_first(a->model, &a->model->thread[i]) && is_idle(a, &a->model->thread[i]))
            waits += (double)a->model->thread[i].wait_ns;
    return at_barriers > waits / 2;
}

/* ---- rounds: threads that were there at once ---- */

struct rounds {
    double count, threads;
    double most_ns, all_ns; /* CPU time: of the busiest of each, and of all */
    double after_ns;        /* of the busiest of each, if the work were dealt out evenly */
    double idle_ns;         /* in which the mean thread waited, had ended, or had not begun while others were there */
};

struct round {
    double threads, most_ns, all_ns;
    double alive_ns, waited_ns; /* of all threads */
    uint64_t start_ns, end_ns;
};

static int start_order(const void *a, const void *b)
{
    const struct model_thread *x = *(const struct model_thread *const *)a, *y = *(const struct model_thread *const *)b;
    return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static void round_end(struct rounds *rounds, const struct round *r, double cpus)
{
    double busy = r->alive_ns - r->waited_ns;
    rounds->count++;
    rounds->threads += r->threads;
    rounds->most_ns += r->most_ns;
    rounds->all_ns += r->all_ns;
    rounds->after_ns += fmin(r->most_ns, r->all_ns / fmin(r->threads, cpus));
    rounds->idle_ns += fmax(0, (double)(r->end_ns - r->start_ns) - busy / r->threads);
}

static void round_add(struct round *r, const struct model_thread *t)
{
    if (!r->threads)
        r->start_ns = r->end_ns = t->start_ns;
    r->threads++;
    r->all_ns += (double)t->cpu_ns;
    r->most_ns = fmax(r->most_ns, (double)t->cpu_ns);
    r->alive_ns += (double)(t->end_ns - t->start_ns);
    r->waited_ns += fmin((double)t->wait_ns, (double)(t->end_ns - t->start_ns));
    r->end_ns = t->end_ns > r->end_ns ? t->end_ns : r->end_ns;
}

/* A new round begins with a thread that starts when all others have ended. One that had next to nothing to do may have
 * ended before the second of its round was started, so it does not end a round. */
static struct rounds rounds_of(const struct advice *a, double cpus)
{
    const struct model *model = a->model;
    const struct model_thread **thread = memory_zeroed(model->thread_count + 1, sizeof *thread);
    bool all_work = meets_at_barriers(a);
    size_t count = 0;
    for (size_t i = 0; i < model->thread_count; i++)
        if (!thread_is_first(model, &model->thread[i]) && (all_work || !is_idle(a, &model->thread[i])))
            thread[count++] = &model->thread[i];
    if (count)
        qsort(thread, count, sizeof *thread, start_order);
    struct rounds rounds = { 0 };
    struct round round = { 0 };
    for (size_t i = 0; i < count; i++) {
        if (round.threads && thread[i]->start_ns >= round.end_ns && round.all_ns > LITTLE_CPU * a->others.most_cpu_ns) {
            round_end(&rounds, &round, cpus);
            round = (struct round){ 0 };
        }
        round_add(&round, thread[i]);
    }
    if (round.threads)
        round_end(&rounds, &round, cpus);
    free(thread);
    return rounds;
}

/* ---- what they do ---- */

/* The function with most of the thread's CPU time, with what it calls in libraries and the kernel, but for barriers;
 * MODEL_NONE: that is too little to tell. */
static uint32_t task_of(const struct advice *a, uint32_t thread)
{
    const struct model *model = a->model;
    double *ns = memory_zeroed(model->function_count + 1, sizeof *ns), most = LEAST_TASK_NS;
    uint32_t task = MODEL_NONE;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        if (s->thread != thread || s->function == MODEL_NONE ||
            (s->line != MODEL_NONE && advice_use(a, s->line, PP_OPERATION_BARRIER)->sum.calls))
            continue;
        ns[s->function] += (double)s->ns + s->system.ns;
        if (ns[s->function] > most) {
            most = ns[s->function];
            task = s->function;
        }
    }
    free(ns);
    return task;
}

static uint32_t busiest_of(const struct model *model)
{
    uint32_t busiest = MODEL_NONE;
    for (uint32_t i = 0; i < model->thread_count; i++)
        if (!thread_is_first(model, &model->thread[i]) &&
            (busiest == MODEL_NONE || model->thread[i].cpu_ns > model->thread[busiest].cpu_ns))
            busiest = i;
    return busiest;
}

/* The busiest thread spends its time in another function than most of the others do: it has work of its own, which
 * could not be dealt out. Or it mostly waits for what others give it. */
static bool has_role(const struct advice *a)
{
    const struct model *model = a->model;
    uint32_t busiest = busiest_of(model), own, other;
    unsigned same = 0, different = 0;
    if (busiest == MODEL_NONE)
        return false;
    if ((double)model->thread[busiest].wait_ns > MOST_WAIT * (double)model->thread[busiest].wall_ns)
        return true;
    if ((own = task_of(a, busiest)) == MODEL_NONE)
        return false;
    for (uint32_t i = 0; i < model->thread_count; i++) {
        if (i == busiest || thread_is_first(model, &model->thread[i]) || is_idle(a, &model->thread[i]))
            continue;
        other = task_of(a, i);
        same += other == own || other == MODEL_NONE;
        different += other != own && other != MODEL_NONE;
    }
    return different > same;
}

/* How long the first thread waited for the others: for their end, or where all of them meet. */
static double waited_ns(const struct advice *a, const struct crew *c)
{
    double ns = c->joined_ns;
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].kind == PP_OPERATION_BARRIER)
            ns += (double)a->use[i].sum.first_wall_ns;
    return ns;
}

/* ---- threads that wait for devices and peers: who was late, CPU time does not say ---- */

#define LEAST_HELD 0.5   /* of a thread's time, that it sleeps or waits for files and peers at one line */
#define LEAST_PIECES 8.0 /* such waits between two meetings: fewer may be no work that could be dealt out */
#define MOST_APART 0.1   /* of the time of the busiest one: they are started one after the other */
#define LITTLE_HELD 0.1  /* of the same: too little to say what the thread does */
/* The busiest one to the mean. In a single round, two equal threads had 1.26 to 1.34 where the host gave their two CPUs
 * to others, too, and one was slower all the time. */
#define SINGLE_RATIO 1.4

struct uneven {
    uint32_t busiest;
    double threads, most_ns, mean_ns, cpu_ns; /* time without waits for a CPU, and for others at barriers */
    double mean_calls; /* such waits. On a busy machine one of several equal threads takes longer, but not more often */
};

static double own_ns(const struct model_thread *t)
{
    return fmax(0, (double)t->wall_ns - (double)t->met_ns - (double)t->delay_ns);
}

static bool is_of(const struct model_group *g, const struct model_thread *t)
{
    return t->started_line == g->line && t->started_function == g->function;
}

static void uneven_sum(const struct model *model, const struct model_group *g, struct uneven *u)
{
    *u = (struct uneven){ .busiest = MODEL_NONE, .threads = (double)g->threads, .cpu_ns = (double)g->cpu_ns };
    for (uint32_t i = 0; i < model->thread_count; i++) {
        double own = own_ns(&model->thread[i]);
        if (!is_of(g, &model->thread[i]))
            continue;
        u->mean_ns += own / u->threads;
        u->mean_calls += (double)model->thread[i].held_calls / u->threads;
        if (u->busiest == MODEL_NONE || own > u->most_ns) {
            u->most_ns = own;
            u->busiest = i;
        }
    }
}

/* Does the thread do the same as the busiest one: meet the others as often, or wait at the same line all its life? */
static bool does_the_same(const struct model_thread *t, const struct model_thread *most, double most_ns)
{
    bool same_line = t->held_line == most->held_line;
    double held = (double)t->held_ns, apart = fabs((double)t->start_ns - (double)most->start_ns);
    if (most->meetings)
        return t->meetings == most->meetings && (same_line || held < LITTLE_HELD * most_ns);
    return !t->meetings && same_line && held >= LEAST_HELD * (double)t->wall_ns && apart < MOST_APART * most_ns;
}

static bool uneven_find(const struct model *model, const struct model_group *g, struct uneven *u)
{
    if (g->threads < 2 || g->most_at_once < g->threads || g->threads > MOST_THREADS)
        return false;
    uneven_sum(model, g, u);
    const struct model_thread *most = &model->thread[u->busiest];
    double meetings = most->meetings ? (double)most->meetings : 1;
    if (u->most_ns < ADVICE_UNEVEN * u->mean_ns || (double)most->held_ns < LEAST_HELD * u->most_ns ||
        (double)most->held_calls < fmax(LEAST_PIECES * meetings, ADVICE_UNEVEN * u->mean_calls) ||
        most->held_line == MODEL_NONE)
        return false;
    for (size_t i = 0; i < model->thread_count; i++)
        if (is_of(g, &model->thread[i]) && !does_the_same(&model->thread[i], most, u->most_ns))
            return false;
    return true;
}

static void uneven_tell(struct advice *a)
{
    const struct model *model = a->model;
    for (size_t i = 0; i < model->group_count && !a->serves; i++) {
        struct uneven u;
        if (!uneven_find(model, &model->group[i], &u))
            continue;
        /* what they compute needs the CPUs, what they wait for can all be at once */
        double cpus = model->run.cpu_count ? (double)model->run.cpu_count : 2;
        const struct model_thread *t = &model->thread[u.busiest];
        double by_calls = u.most_ns * (1 - u.mean_calls / (double)t->held_calls);
        double saves = fmin(fmin(u.most_ns - fmax(u.mean_ns, u.cpu_ns / cpus), by_calls), a->first_event_ns);
        uint32_t line = crew_line_of(a, u.busiest);
        struct model_advice *to = advice_add(a, ADVICE_imbalance, line != MODEL_NONE ? line : model->group[i].line,
                                             saves * 0.85, saves * 1.25, SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], one[FIGURE_BYTES], all[FIGURE_BYTES], waits[FIGURE_BYTES];
        to->evidence = arena_print(
            &a->model->arena,
            "Of %s threads one was at work for %s, all of them %s in the mean%s; it waited %s times at line %u.",
            figure_count(count, u.threads), figure_time(one, u.most_ns), figure_time(all, u.mean_ns),
            t->meetings ? ", and the others waited for it at a barrier" : "",
            figure_count(waits, (double)t->held_calls), model->line[t->held_line].line);
        advice_figure(to, "threads", u.threads);
        advice_figure(to, "most_ns", u.most_ns);
        advice_figure(to, "mean_ns", u.mean_ns);
        advice_figure(to, "meetings", (double)t->meetings);
        advice_figure(to, "wait_ns", (double)t->met_ns);
    }
}

void advice_imbalance(struct advice *a)
{
    uneven_tell(a);
    struct crew c;
    if (!crew_find(a, &c) || c.threads < 2 || c.lost > 0)
        return;
    struct rounds r = rounds_of(a, c.cpus);
    double waited = waited_ns(a, &c), each = r.threads / fmax(1, r.count);
    if (each < LEAST_THREADS || each > MOST_THREADS || has_role(a))
        return;
    /* Of a single round, in which one was there alone, the others may have had something else to do. */
    if (r.count < 2 && !meets_at_barriers(a) && c.joined_ns > 0.9 * a->others.alive_ns)
        return;
    /* The first thread gains no more than it waits for them: it may compute itself, and they write for it. */
    double mean = r.all_ns / each, saves = fmin((r.most_ns - r.after_ns) * a->stretch, fmax(waited, a->first_event_ns));
    /* A thread that was ready all the time only lacked a CPU: it could have done no more. */
    saves = fmin(saves, r.idle_ns);
    double least = r.count < 2 ? fmax(SINGLE_RATIO, advice_uneven_ratio(a)) : advice_uneven_ratio(a);
    /* where they mostly wait, CPU time does not say who was late */
    if (r.most_ns < least * mean || r.most_ns * a->stretch < 0.6 * waited || saves <= 0)
        return;
    uint32_t line = crew_line(a);
    struct model_advice *to = advice_add(a, ADVICE_imbalance, line != MODEL_NONE ? line : c.start->line, saves * 0.7,
                                         saves * 1.2, SAVING_MEASURED);
    if (!to)
        return;
    char count[FIGURE_BYTES], one[FIGURE_BYTES], all[FIGURE_BYTES];
    figure_time(one, r.most_ns / r.count);
    figure_time(all, mean / r.count);
    to->evidence = r.count < 2
                       ? arena_print(&a->model->arena, "Of %s threads one computed for %s, all of them %s in the mean.",
                                     figure_count(count, r.threads), one, all)
                       : arena_print(&a->model->arena,
                                     "%s times %.3g threads were there at once: the busiest one computed for "
                                     "%s each time, all of them %s in the mean.",
                                     figure_count(count, r.count), each, one, all);
    advice_figure(to, "threads", r.threads);
    advice_figure(to, "rounds", r.count);
    advice_figure(to, "most_cpu_ns", r.most_ns);
    advice_figure(to, "mean_cpu_ns", mean);
    advice_figure(to, "wait_ns", waited);
}
