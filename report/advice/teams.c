/* SPDX-License-Identifier: MIT */
/* teams.c: a region of OpenMP in which one thread of the team has much more to do than the others. These wait for it at
 * the region's end, and for some milliseconds they spin there, which is CPU time in the library, and no call that is
 * hooked. Where they sleep at once (OMP_WAIT_POLICY=passive), nothing is seen of it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "advice/library.h"
#include "model/namesake.h"
#include "model/team.h"

#define LEAST_SHARE 0.05 /* of the run's CPU time: the region's, and what is spun */
#define LEAST_SPUN 0.5   /* of the time in which the others did less: they spun, they were not without a CPU */
#define FEWEST 8         /* samples in the region */
#define MOST_THREADS 256
#define LITTLE_CALLS 2000
#define LITTLE_NS 30e3   /* of work in a call; waking a team and waiting for it takes a few microseconds */
#define LITTLE_SPUN 0.25 /* of the run's CPU time */
#define LITTLE_PART 0.6  /* of what the first thread spun: some of it stays where there are fewer regions */

struct team {
    uint32_t threads, busiest; /* of those that were in the region, or spin; busiest: index */
    uint64_t samples;
    double most_ns, all_ns, spun_ns, own_spun_ns; /* spun: by the others; own: by the busiest */
};

/* The region that the node is in, or MODEL_NONE. */
static uint32_t region_of(const struct model *model, uint32_t node)
{
    for (; node && node < model->node_count; node = model->node[node].parent) {
        uint32_t function = model->node[node].function;
        if (function != MODEL_NONE && function_is_region(&model->function[function]))
            return function;
    }
    return MODEL_NONE;
}

static struct team team_of(const struct model *model, uint32_t region)
{
    struct team t = { .busiest = MODEL_NONE };
    double *work = memory_zeroed(2 * (model->thread_count + 1), sizeof *work), *spun = work + model->thread_count + 1;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        double ns = (double)s->ns;
        if (s->thread >= model->thread_count || s->profiler)
            continue;
        if (sample_is_of_team(model, s))
            spun[s->thread] += ns;
        else if (region_of(model, s->node) == region) {
            work[s->thread] += ns;
            t.samples += s->count;
        }
    }
    for (uint32_t i = 0; i < model->thread_count; i++) {
        t.threads += work[i] > 0 || spun[i] > 0;
        t.all_ns += work[i];
        t.spun_ns += spun[i];
        if (work[i] > t.most_ns) {
            t.most_ns = work[i];
            t.busiest = i;
        }
    }
    t.own_spun_ns = t.busiest != MODEL_NONE ? spun[t.busiest] : 0;
    t.spun_ns -= t.own_spun_ns;
    free(work);
    return t;
}

static bool is_uneven(const struct advice *a, const struct team *t)
{
    double mean = t->all_ns / fmax(1, t->threads), missing = t->most_ns * t->threads - t->all_ns;
    return t->threads >= 2 && t->threads <= MOST_THREADS && t->samples >= FEWEST &&
           library_share(a, t->all_ns) >= LEAST_SHARE && library_share(a, t->spun_ns) >= LEAST_SHARE &&
           t->most_ns >= advice_uneven_ratio(a) * mean && t->spun_ns >= LEAST_SPUN * missing &&
           t->spun_ns > t->own_spun_ns * (t->threads - 1);
}

/* How long the program's first thread spins in OpenMP's library. */
static double first_spun_ns(const struct model *model)
{
    double ns = 0;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        if (s->thread < model->thread_count && !s->profiler && thread_is_first(model, &model->thread[s->thread]) &&
            sample_is_of_team(model, s))
            ns += (double)s->ns;
    }
    return ns;
}

/* A team is called together for little work each time: it meets for longer than it works. */
static void little_tell(struct advice *a)
{
    struct model *model = a->model;
    for (uint32_t f = 0; f < model->function_count; f++) {
        const struct model_function *region = &model->function[f];
        if (!function_is_region(region) || !region->calls_known)
            continue;
        struct team t = team_of(model, f);
        double calls = (double)region->calls, each = calls > 0 ? t.all_ns / calls : 0, spun = first_spun_ns(model);
        if (calls < LITTLE_CALLS || each > LITTLE_NS || library_share(a, t.spun_ns + t.own_spun_ns) < LITTLE_SPUN)
            continue;
        double waited = fmin(a->run_ns, spun * advice_threads_stretch(a, 1));
        struct model_advice *to =
            advice_add(a, ADVICE_teams, MODEL_NONE, LITTLE_PART * waited, waited, SAVING_MEASURED);
        char count[FIGURE_BYTES], one[FIGURE_BYTES], all[FIGURE_BYTES];
        if (!to)
            continue;
        to->function = f;
        to->file = region->file;
        to->at = region->line;
        advice_title(a, to, function_label(&model->arena, region), "calls its team together for little work each time");
        to->evidence =
            arena_print(&model->arena,
                        "Threads came there %s times, for %s work each in the mean. They spun for %s in "
                        "OpenMP's library, to wait for each other: that is CPU time, too.",
                        figure_count(count, calls),
                        each > 0 ? arena_print(&model->arena, "%s of", figure_time(one, each)) : "next to no",
                        figure_time(all, t.spun_ns + t.own_spun_ns));
        to->action =
            "put the parallel loop around the one that calls it, so that each thread has more to do; or leave it "
            "out where there is little to do, by the clause if (n > 10000)";
        to->before = "for (r = 0; r < rows; r++) {\n    #pragma omp parallel for\n"
                     "    for (i = 0; i < 100; i++) x[r][i] = f(r, i);\n}";
        to->after = "#pragma omp parallel for\nfor (r = 0; r < rows; r++)\n"
                    "    for (i = 0; i < 100; i++) x[r][i] = f(r, i);";
        advice_figure(to, "calls", calls);
        advice_figure(to, "spun_ns", t.spun_ns + t.own_spun_ns);
        return;
    }
}

void advice_teams(struct advice *a)
{
    const struct model *model = a->model;
    double cpus = model->run.cpu_count ? (double)model->run.cpu_count : 2;
    for (uint32_t f = 0; f < model->function_count; f++) {
        if (!function_is_region(&model->function[f]))
            continue;
        struct team t = team_of(model, f);
        if (!is_uneven(a, &t))
            continue;
        double saves =
            (t.most_ns - t.all_ns / fmin(t.threads, cpus)) * advice_thread_stretch(a, &model->thread[t.busiest]);
        struct model_advice *to =
            advice_add(a, ADVICE_teams, MODEL_NONE, saves * 0.7, fmin(a->run_ns, saves * 1.2), SAVING_MEASURED);
        if (!to)
            continue;
        char count[FIGURE_BYTES], one[FIGURE_BYTES], all[FIGURE_BYTES], spun[FIGURE_BYTES];
        to->function = f;
        to->file = model->function[f].file;
        to->at = model->function[f].line;
        advice_title(a, to, function_label(&a->model->arena, &model->function[f]),
                     "gives one thread of its team more work than the others");
        to->evidence = arena_print(
            &a->model->arena,
            "Of %s threads one worked for %s there, all of them %s in the mean. The others spun for %s in OpenMP's "
            "library until it was done: that is CPU time, too.",
            figure_count(count, t.threads), figure_time(one, t.most_ns), figure_time(all, t.all_ns / t.threads),
            figure_time(spun, t.spun_ns));
        advice_figure(to, "threads", t.threads);
        advice_figure(to, "most_cpu_ns", t.most_ns);
        advice_figure(to, "mean_cpu_ns", t.all_ns / t.threads);
        advice_figure(to, "spun_ns", t.spun_ns);
    }
    little_tell(a);
}
