/* SPDX-License-Identifier: MIT */
/* lockcalls.c: a lock that is taken and given back for each little piece of work, so that this takes a large part of
 * the CPU time, or so that threads meet at it though each holds it for short. Where it is held long, locks.c tells it.
 * So is one that the library takes itself, as rand does for the generator that all threads share. */
#include "advice/takings.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHARE 0.15    /* of the CPU time, at lines of one function */
#define LEAST_CRITICAL 0.05 /* the same of critical sections, whose waits are CPU time */
#define LEAST_WAIT 0.05     /* of the time of all threads, with the CPU time at those lines */
/* How much of that time is saved: other work goes on while a processor takes a lock; and what the lock protects comes
 * from other CPUs' caches, too. */
#define LEAST_PART 0.55
#define MOST_PART 1.2
#define QUEUES_LEAST 0.8 /* of critical sections: all that time, and the caches of those that it goes through */
#define QUEUES_MOST 1.6
#define LEAST_FOUGHT 0.85 /* where threads meet at it, so that the kernel makes them wait and wakes them */
#define MOST_FOUGHT 1.25
#define LEAST_FOUGHT_WAIT 0.1 /* of the CPU time at those lines */
#define LEAST_RANDOM 0.1 /* of the CPU time, in the library's generator */
#define CALLER_PART 0.1  /* of that: a thread that has less is none of those that meet there */
#define RANDOM_LEAST 0.6 /* a generator of one's own takes a few ns */
#define RANDOM_MOST 1.1
#define LEAST_ALONE 0.2 /* of the CPU time, where one thread alone has it: 0.8 of 22 ns a number by xorshift */
#define ALONE_LEAST 0.75
#define ALONE_MOST 0.97
#define FEWEST_SAMPLES 5
#define MOSTLY_WAITS 0.5 /* of the run: the first thread waits for those that take the lock */

/* Threads that take the same lock for the same pieces gain alike: no more than one of them does. */
static void gain_of(const struct advice *a, uint32_t line, const struct takings *t, bool is_fought, double *low,
                    double *high)
{
    double error = fmin(0.2, 1 / sqrt((double)t->samples + 1));
    advice_gain(a, line, is_fought ? t->cpu_ns : t->user_ns, is_fought ? t->wait_ns : 0, low, high);
    if (a->first_event_ns > MOSTLY_WAITS * a->run_ns)
        *high = *low;
    *low *= (is_fought ? LEAST_FOUGHT : LEAST_PART) * (1 - error);
    *high = fmin(a->run_ns, *high * (is_fought ? MOST_FOUGHT : MOST_PART) * (1 + error));
}

/* OpenMP's own locks: threads that queue there spin, which is CPU time. */
static void criticals_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_CRITICAL);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        struct takings t = { 0 };
        t.user_ns = library_function_ns(a, &use, a->model->line[at->line].function, true, &t.samples);
        if (library_share(a, t.user_ns) < LEAST_CRITICAL || t.samples < FEWEST_SAMPLES || !library_is_first(a, &use, i))
            continue;
        /* a team's threads queue alike, and end together */
        double error = fmin(0.2, 1 / sqrt((double)t.samples + 1)),
               each = t.user_ns / (1 + (a->others.threads > 0 ? a->abreast : 0)),
               high = fmin(a->run_ns, each * QUEUES_MOST * (1 + error) * fmin(2, a->stretch));
        struct model_advice *to =
            advice_add(a, ADVICE_lockcalls, at->line, each * QUEUES_LEAST * (1 - error), high, SAVING_MEASURED);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        bool is_lock = !strncmp(at->name, "omp_", 4);
        advice_title(a, to, advice_subject(a, at->line),
                     is_lock ? "queues at a lock of OpenMP" : "queues at a critical section");
        to->evidence = arena_print(&a->model->arena,
                                   "Entering and leaving the %s took %s here, %.0f %% of the CPU time: threads spin "
                                   "while another one is in it.",
                                   is_lock ? "lock" : "critical section", figure_time(time, t.user_ns),
                                   100 * library_share(a, t.user_ns));
        to->action = "let each thread sum up by itself, by reduction or in an array of its own that is added in one "
                     "critical section at the end; a single number can be updated by omp atomic";
        to->before = "#pragma omp critical\ncount[key(i)]++;";
        to->after = "#pragma omp parallel for reduction(+ : count[:n])\nfor (i = 0; i < many; i++) count[key(i)]++;";
        advice_figure(to, "cpu_ns", t.user_ns);
        advice_figure(to, "cpu_percent", 100 * library_share(a, t.user_ns));
        advice_figure(to, "samples", (double)t.samples);
    }
}

/* How many threads have a good part of the function's time. */
static unsigned callers_of(const struct advice *a, uint32_t function)
{
    const struct model *model = a->model;
    double *ns = memory_zeroed(model->thread_count + 1, sizeof *ns), all = 0;
    unsigned count = 0;
    for (size_t i = 0; i < model->sample_count; i++)
        if (model->sample[i].function == function && model->sample[i].thread < model->thread_count) {
            ns[model->sample[i].thread] += (double)model->sample[i].ns;
            all += (double)model->sample[i].ns;
        }
    for (size_t i = 0; i < model->thread_count; i++)
        count += ns[i] > CALLER_PART * all;
    free(ns);
    return count;
}

/* Did threads that one line started live at once? */
static bool live_at_once(const struct model *model)
{
    for (size_t i = 0; i < model->group_count; i++)
        if (model->group[i].most_at_once >= 2)
            return true;
    return false;
}

/* One thread alone takes its lock, and pays for it. */
static void alone_tell(struct advice *a, const struct library_line *at, double ns, uint64_t samples)
{
    struct model_advice *to = library_advise(a, ADVICE_lockcalls, at, ns, samples, ALONE_LEAST, ALONE_MOST);
    char time[FIGURE_BYTES];
    if (!to)
        return;
    advice_title(a, to, advice_subject(a, at->line), "takes its random numbers from the C library");
    to->evidence = arena_print(&a->model->arena,
                               "%s took %s here, %.0f %% of the CPU time. It takes a lock for each number.", at->name,
                               figure_time(time, ns), 100 * library_share(a, ns));
    to->action = "write a generator of a few lines, such as xorshift or PCG, whose state is a variable of yours: it "
                 "takes a tenth of that and has longer periods; the numbers will be others";
    to->before = "x[i] = rand() % 100;";
    to->after = "s ^= s << 13; s ^= s >> 7; s ^= s << 17;    /* uint64_t s, not 0 */\nx[i] = (s >> 32) % 100;";
}

/* The library's generator of random numbers: one for all threads, under a lock. */
static void random_tell(struct advice *a)
{
    struct library_use use = library_use(a, LIBRARY_RANDOM);
    bool several = live_at_once(a->model);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        uint64_t samples = 0;
        double ns = library_function_ns(a, &use, function, false, &samples), low, high;
        unsigned callers = several ? callers_of(a, function) : 1;
        if (library_share(a, ns) < LEAST_RANDOM || samples < FEWEST_SAMPLES || !library_is_first(a, &use, i))
            continue;
        if (callers < 2) {
            if (library_share(a, ns) >= LEAST_ALONE)
                alone_tell(a, at, ns, samples);
            continue;
        }
        struct takings t = { .user_ns = ns, .samples = samples };
        gain_of(a, at->line, &t, false, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_lockcalls, at->line, low * RANDOM_LEAST / LEAST_PART,
                                             fmin(a->run_ns, high * RANDOM_MOST / MOST_PART), SAVING_MEASURED);
        char time[FIGURE_BYTES];
        if (!to)
            continue;
        advice_title(a, to, advice_subject(a, at->line), "takes random numbers from one generator for all threads");
        to->evidence = arena_print(&a->model->arena,
                                   "%s took %s here, %.0f %% of the CPU time. It takes a lock for each number, and %u "
                                   "threads call it here.",
                                   at->name, figure_time(time, ns), 100 * library_share(a, ns), callers);
        to->action = "give each thread a generator of its own: rand_r, or a few lines of xorshift, whose state is a "
                     "local variable or lies with the thread's data";
        to->before = "x[i] += rand() % 100;";
        to->after = "x[i] += rand_r(&mine->seed) % 100;";
        advice_figure(to, "cpu_ns", ns);
        advice_figure(to, "cpu_percent", 100 * library_share(a, ns));
        advice_figure(to, "samples", (double)samples);
    }
}

void advice_lockcalls(struct advice *a)
{
    random_tell(a);
    criticals_tell(a);
    struct library_use use = library_use(a, LIBRARY_LOCK);
    for (size_t i = 0; i < use.count; i++) {
        const struct library_line *at = &use.line[i];
        uint32_t function = a->model->line[at->line].function;
        struct takings t = takings_of(a, &use, function);
        bool is_fought =
            t.is_brief && t.cpu_ns + t.wait_ns > LEAST_WAIT * a->threads_ns && t.wait_ns > LEAST_FOUGHT_WAIT * t.cpu_ns;
        if ((library_share(a, t.user_ns) < LEAST_SHARE && !is_fought) || t.samples < FEWEST_SAMPLES ||
            !library_is_first(a, &use, i) || advice_has(a, ADVICE_locks, function)) /* it is held long: told already */
            continue;
        double low, high, ns = is_fought ? t.cpu_ns : t.user_ns;
        gain_of(a, at->line, &t, is_fought, &low, &high);
        struct model_advice *to = advice_add(a, ADVICE_lockcalls, at->line, low, high, SAVING_MEASURED);
        char time[FIGURE_BYTES], count[FIGURE_BYTES], wait[FIGURE_BYTES];
        if (!to)
            continue;
        to->evidence =
            arena_print(&a->model->arena, "Taking and giving back locks took %s here, %.0f %% of the CPU time.",
                        figure_time(time, ns), 100 * library_share(a, ns));
        if (is_fought)
            to->evidence = arena_print(&a->model->arena,
                                       "%s Threads waited for it %s times, %s in all: it is held for short, but taken "
                                       "very often.",
                                       to->evidence, figure_count(count, t.waits), figure_time(wait, t.wait_ns));
        advice_figure(to, "cpu_ns", ns);
        advice_figure(to, "cpu_percent", 100 * library_share(a, ns));
        advice_figure(to, "samples", (double)t.samples);
        if (is_fought)
            advice_figure(to, "wait_ns", t.wait_ns);
    }
}
