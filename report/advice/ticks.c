/* SPDX-License-Identifier: MIT */
/* ticks.c: see ticks.h. While a thread looks again and again, others may do what it waits for. That time remains,
 * whoever wakes the thread; the rest is what the interval was too long. */
#include "advice/ticks.h"

#include <math.h>

#define LEAST_CALLS 5
#define LEAST_EACH 3        /* calls of each thread, where other threads than the first make them */
#define LONGEST_NS 100e6    /* who looks less often is not waiting for the next step */
#define LEAST_MEANWHILE 0.1 /* of the sleeps of a worker, others do something: else it sleeps for its own reasons */
#define LEAST_CLEAR 0.7     /* of the sleeps, others may have waited for their work by short sleeps of their own */
#define LEAST_OWN 0.3       /* of the run, in which the first thread sleeps there: that is on the way */
#define LATE_LEAST 0.35     /* of an interval: so much later than what it waited for the thread wakes up, in the mean */
#define LATE_MOST 0.7
#define SHORT_NS 1e6       /* as in gain.c: shorter sleeps are in no sum of what others did */
#define SAME_INTERVAL 1.25 /* others that sleep as long each time look for something, too */
#define LEAST_LEFT 0.9
#define WAKE_NS 30e3    /* to be woken takes so long at most, in place of each look */
#define LEAST_BUSY 0.01 /* of the run: a program that does next to nothing waits for work */

/* How often the line's function waited for a process by asking before each sleep; 0: not known. Each such wait has one
 * question more than sleeps. */
static double waits_of(const struct advice *a, const struct advice_use *use)
{
    double asked = 0, slept = (double)use->sum.calls;
    uint32_t function = a->model->line[use->line].function;
    for (size_t i = 0; i < a->use_count; i++)
        if (a->use[i].kind == PP_OPERATION_CHILD && a->model->line[a->use[i].line].function == function)
            asked += (double)a->use[i].sum.calls;
    return asked > slept && asked < 2 * slept ? asked - slept : 0;
}

/* How long other threads slept at other lines, in sleeps as long as this line's. Two threads that wait for each other
 * both look from time to time. But such sleeps may be their work, as where a device is played. */
static double looked_ns(const struct advice *a, const struct advice_use *use, double mean_ns)
{
    double ns = 0;
    for (size_t i = 0; i < a->use_count; i++) {
        const struct model_operations *sum = &a->use[i].sum;
        double each = sum->calls ? (double)(sum->wall_ns - sum->unfinished_ns) / (double)sum->calls : 0;
        if (&a->use[i] != use && a->use[i].kind == use->kind && sum->calls >= LEAST_CALLS && each > SHORT_NS &&
            each < mean_ns * SAME_INTERVAL && mean_ns < each * SAME_INTERVAL)
            ns += (double)sum->wait_ns * (1 - advice_first_part(sum));
    }
    return ns;
}

/* Of others so many may have done something side by side, at most. Of threads of one line as many as lived at once
 * did. */
static double at_once(const struct advice *a)
{
    double threads = a->others.threads;
    for (size_t i = 0; i < a->model->group_count; i++)
        threads -= (double)(a->model->group[i].threads - a->model->group[i].most_at_once);
    return fmax(1, threads + (double)a->model->run.child_count);
}

/* How long so much of others' time took at least, of which they were on a CPU for so long. */
static double side_by_side_ns(const struct advice *a, double ns, double cpu_ns)
{
    double cpus = a->model->run.cpu_count ? (double)a->model->run.cpu_count : 2, many = at_once(a);
    cpu_ns = fmin(ns, cpu_ns);
    return cpu_ns / fmin(cpus, many) + (ns - cpu_ns) / many;
}

/* How long others were at work, at least, while the first thread slept. They took so long for what they did in the run,
 * or one of them was busy for so long. The part of that which fits outside of the sleeps may have been there. */
static double all_along_ns(const struct advice *a, double ns, double cpu_ns, double wait_ns)
{
    double took = fmax(side_by_side_ns(a, ns, cpu_ns), fmin(a->others.most_busy_ns, ns));
    return fmin(wait_ns, fmax(0, took - fmax(0, a->wall_ns - wait_ns)));
}

bool ticks_of(const struct advice *a, const struct advice_use *use, struct ticks *t)
{
    const struct model_operations *sum = &use->sum;
    struct model_operations own = use->sum;
    *t = (struct ticks){ .calls = (double)sum->calls };
    if (sum->calls < LEAST_CALLS)
        return false;
    t->mean_ns = (double)(sum->wall_ns - sum->unfinished_ns) / t->calls;
    if (t->mean_ns > LONGEST_NS || a->cpu_ns + a->others.busy_ns < LEAST_BUSY * a->run_ns)
        return false;
    double first = advice_first_part(sum), wait = (double)sum->wait_ns, slept = wait * (1 - first), looks = t->calls;
    if (first < 0.5 && (double)sum->first_wall_ns >= LEAST_OWN * a->run_ns) {
        own.wall_ns = own.first_wall_ns; /* two that look for each other's work sleep at one line */
        own.wait_ns = (uint64_t)(wait * first);
        sum = &own;
        wait *= first;
        looks *= first;
        first = 1;
    }
    if (first < 0.5 && t->calls < LEAST_EACH * a->others.threads)
        return false; /* each of many threads sleeps once: what it waits for is its device, or time itself */
    t->others_ns = first >= 0.5 ? a->others.busy_ns : a->cpu_ns * a->stretch;
    if (first >= 0.5) /* others that sleep at this line look for the same, and do nothing meanwhile */
        t->others_ns = fmax(0, t->others_ns - (t->mean_ns > SHORT_NS ? slept : 0));
    double looked = first >= 0.5 ? fmin(looked_ns(a, use, t->mean_ns), t->others_ns) : 0;
    double did = t->others_ns - looked;
    t->others_ns = fmin(did, wait);
    if (first < 0.5 && t->others_ns < LEAST_MEANWHILE * wait / a->abreast)
        return false;
    /* Others did that meanwhile. But they may have been without a CPU while the first thread did not sleep, for no
     * longer than that. */
    double cpu = first >= 0.5 ? a->others.cpu_ns : a->cpu_ns, without;
    without = cpu * ((first >= 0.5 ? advice_threads_stretch(a, 0) : a->stretch) - 1);
    if (first >= 0.5)
        without = fmin(without, fmax(0, a->wall_ns - wait) * at_once(a));
    double least_ns = fmax(0, t->others_ns - without), unused, most;
    if (first >= 0.5)
        least_ns = side_by_side_ns(a, least_ns, cpu);
    /* Where both look for each other's work, each may work on while the other one does. */
    if (first >= 0.5 && (looked > 0 || slept > 0))
        least_ns = fmax(0, least_ns - fmax(0, a->wall_ns - wait));
    if (first >= 0.5)
        least_ns = fmax(least_ns, all_along_ns(a, did, cpu, wait));
    advice_gain_part(a, sum, wait > 0 ? (wait - t->others_ns) / wait : 0, &t->low_ns, &unused);
    advice_gain_part(a, sum, wait > 0 ? (wait - least_ns) / wait : 0, &most, &t->high_ns);
    t->low_ns = fmax(t->low_ns, 0.6 * most) * (t->others_ns > 0 ? 0.8 : 0.65);
    t->low_ns = fmax(0, t->low_ns - WAKE_NS * looks);
    /* no more than it slept; what others did at least remains, but for what profiling made of it */
    t->high_ns = fmin(t->high_ns * 1.05, fmax(t->low_ns, fmin(a->run_ns, wait - LEAST_LEFT * least_ns)));
    bool paced = first < 0.5 && t->high_ns > advice_waits_room(a); /* by a thread that does not look */
    if (paced)
        t->high_ns = advice_waits_room(a);
    t->is_bound =
        paced ||
        (first >= 0.5 && (a->others.unseen || t->others_ns + looked + a->others.unclear_ns > wait * LEAST_CLEAR));
    double waits = t->is_bound ? waits_of(a, use) : 0;
    if (waits >= LEAST_CALLS) {
        t->is_bound = false;
        t->low_ns = LATE_LEAST * waits * t->mean_ns;
        t->high_ns = LATE_MOST * waits * t->mean_ns;
    } else if (t->is_bound)
        t->low_ns = 0;
    return true;
}

void ticks_tell(struct advice *a, struct model_advice *to, const struct advice_use *use, const struct ticks *t,
                const char *noun)
{
    char count[FIGURE_BYTES], each[FIGURE_BYTES], time[FIGURE_BYTES], others[FIGURE_BYTES];
    double took = (double)use->sum.wait_ns;
    to->evidence =
        arena_print(&a->model->arena, "%s %s of %s each took %s%s%s%s.", figure_count(count, t->calls), noun,
                    figure_time(each, t->mean_ns), figure_time(time, took),
                    t->others_ns > 0 ? "; what others did meanwhile took " : "",
                    t->others_ns > 0 ? figure_time(others, t->others_ns) : "", t->others_ns > 0 ? " at most" : "");
    advice_figure(to, "calls", t->calls);
    advice_figure(to, "wait_ns", took);
    advice_figure(to, "interval_ns", t->mean_ns);
    advice_figure(to, "others_ns", t->others_ns);
}
