/* SPDX-License-Identifier: MIT */
/* account.c: see account.h. Each part of the cost is a number and how far it may be off. Parts are independent, so
 * their errors add up as squares. The prices were measured with the programs of tests/truth/overhead.py; the decision
 * is in docs/decisions/overhead.md. It must not know the file's bytes or output. */
#include "estimate/account.h"
#include "words/plural.h"

#include <math.h>

/* Of what the runtime's own clocks say. They do not see how its larger image is loaded and its memory given back. */
#define FIXED_LEAST 0.85
#define FIXED_MOST 1.2
/* Of a sample, in prices of arming its event: what its interrupts push out of the caches. The handler, the arming and
 * three times that for the interrupts are among what the runtime's clocks say. */
#define SAMPLE_LEAST 0
#define SAMPLE_MOST 2
/* Of a thread's event, likewise: what the kernel does after it was closed, and once for each thread. */
#define EVENT_LEAST 0.5
#define EVENT_MOST 2
/* Of the calls that were timed. Each also makes the program's next instructions slower. */
#define CALLS_LEAST 1.0
#define CALLS_MOST 1.3
/* In prices of a count, which scales with the machine: an allocation or a free, and an operation. Not in those of a
 * timed activation, because in some runs the clock is read three times as quickly. */
#define HEAP_COUNTS 8.3
#define HEAP_COUNTS_SAMPLED 3 /* with blocks=sampled */
#define HEAP_MOST 0.12 /* of the CPU time, by that price: where a program does little else, the price is too low */
#define OPERATION_COUNTS 100
#define PRICE_SIGMA 0.15
#define CODE_SIGMA 0.0015 /* of the CPU time: what has no price */
/* Of the code's own time: with what it pushes out of the caches. */
#define CODE_LEAST 1.0
#define CODE_MOST 1.2
/* Of the price of a count in a loop of counts: beside other work, and where each waits for the one before. */
#define COUNT_LEAST 0.05
#define COUNT_MOST 0.4
#define COUNT_DENSE_LEAST 0.4
#define COUNT_DENSE_MOST 1.3
#define COUNTS_FEW 0.1 /* of the CPU time, at the full price */
#define COUNTS_MANY 0.3
/* Of the price of arming a perf event. A switch stops one and arms it again; which of both is ours to pay depends on
 * who runs next. */
#define SWITCH_LEAST 0.4
#define SWITCH_MOST 1.5
#define SIGMAS 1.3
/* Samples beyond the prices by this much are believed alone: stdio by lines has no price, for one. */
#define UNPRICED_SIGMAS 1.0
#define PRICED_SIGMAS 2.0 /* where prices tell half of it and more */
#define WIDTH_PERCENT 1.0 /* an interval may be this wide, or this part of its middle */
#define WIDTH_PART 0.5

struct part {
    double ns, reach; /* reach: how far the truth may be from ns */
};

/* What makes a result too uncertain, in words. */
enum { FIXED, SAMPLES, CALLS, CODE, COUNTS, SWITCHES, PARTS };
static const char *const doubts[PARTS] = {
    [FIXED] = "the start and the end of the process weigh most",
    [SAMPLES] = "what a sample costs is not known well enough",
    [CALLS] = "what the kernel does for the profiler is not known well enough",
    [CODE] = "there are too few samples",
    [COUNTS] = "what a count costs is not known where counts are dense",
    [SWITCHES] = "threads take turns too often",
};

static struct part between(double low, double high)
{
    return (struct part){ (low + high) / 2, fabs(high - low) / 2 };
}

static struct part fixed_part(const struct model_run *r, double timed_ns)
{
    double seen = fmax((double)r->self_ns - timed_ns, 0);
    return between(seen * FIXED_LEAST, seen * FIXED_MOST);
}

static struct part samples_part(const struct model_run *r)
{
    double signals = (double)r->sample_signals * r->arming_ns, threads = (double)r->thread_count * r->arming_ns;
    return between(signals * SAMPLE_LEAST + threads * EVENT_LEAST, signals * SAMPLE_MOST + threads * EVENT_MOST);
}

static struct part calls_part(const struct model_run *r)
{
    return between((double)r->calls_ns * CALLS_LEAST, (double)r->calls_ns * CALLS_MOST);
}

static struct part with_caches(double ns, double sigma)
{
    struct part p = between(ns * CODE_LEAST, ns * CODE_MOST);
    p.reach = hypot(p.reach, SIGMAS * sigma);
    return p;
}

static double heap_ns(const struct model_run *r)
{
    return (r->blocks_mean ? HEAP_COUNTS_SAMPLED : HEAP_COUNTS) * r->count_ps / 1e3 * (double)r->heap_calls;
}

/* Code of the runtime in user mode. Prices times counts know much of it, and samples see all of it, with an error. Both
 * are weighted by their variances, unless they contradict each other: then there was work that has no price. */
static struct part code_part(const struct model *model, double timed_ns, double cpu_ns)
{
    const struct model_run *r = &model->run;
    const struct model_coverage *c = &model->coverage;
    double operations = 0, all = 0, squares = 0;
    for (size_t i = 0; i < model->operation_count; i++)
        operations += (double)model->operation[i].sum.calls;
    double priced = timed_ns + heap_ns(r) + r->count_ps / 1e3 * OPERATION_COUNTS * operations,
           priced_sigma = hypot(PRICE_SIGMA * priced, CODE_SIGMA * cpu_ns);
    if (!c->samples)
        return with_caches(priced, priced_sigma);
    for (size_t i = 0; i < model->sample_count; i++) {
        all += (double)model->sample[i].count;
        squares += (double)model->sample[i].count + (double)model->sample[i].excess;
    }
    /* With one average signal added, because none may be one that did not come. */
    double each = c->sampled_ns / (double)c->samples, usual = all > 0 ? squares / all : 1, hits = (double)c->profiler,
           share = all > 0 ? fmin(hits / all, 1) : 0;
    double sampled = each * hits,
           sampled_sigma =
               each * sqrt((hits + (double)c->profiler_excess) * (1 - share) + usual * usual);
    double both = hypot(priced_sigma, sampled_sigma);
    if (fabs(sampled - priced) > (priced < sampled / 2 ? UNPRICED_SIGMAS : PRICED_SIGMAS) * both)
        return with_caches(sampled, sampled_sigma);
    double weight = priced_sigma * priced_sigma / (both * both); /* of the samples */
    return with_caches(weight * sampled + (1 - weight) * priced, priced_sigma * sampled_sigma / both);
}

static struct part counts_part(const struct model *model, double cpu_ns)
{
    const struct model_run *r = &model->run;
    double counts = (double)r->line_counts;
    for (size_t i = 0; i < model->function_count; i++)
        counts += model->function[i].calls > model->function[i].timed_calls
                      ? (double)(model->function[i].calls - model->function[i].timed_calls)
                      : 0;
    double full = counts * r->count_ps / 1e3,
           dense = fmin(fmax(full / cpu_ns - COUNTS_FEW, 0) / (COUNTS_MANY - COUNTS_FEW), 1);
    return between(full * (COUNT_LEAST + dense * (COUNT_DENSE_LEAST - COUNT_LEAST)),
                   full * (COUNT_MOST + dense * (COUNT_DENSE_MOST - COUNT_MOST)));
}

static struct part switches_part(const struct model_run *r)
{
    double full = (double)r->switches * r->arming_ns;
    return between(full * SWITCH_LEAST, full * SWITCH_MOST);
}

static void budget_tell(struct model *model, const struct part *counts)
{
    const struct model_run *r = &model->run;
    double least = run_overhead_percent(r, (double)r->self_ns);
    if (r->budget_permille && least > r->budget_permille / 10.0 && r->self_ns > 1000000 &&
        r->user_ns + r->system_ns > 20000000)
        model_notice(model,
                     "by its own estimate profplug took at least %.1f %% of the program's CPU time, the budget is %.1f "
                     "%%%s",
                     least, r->budget_permille / 10.0,
                     counts->ns < 0.5 * (double)r->self_ns
                         ? ""
                         : ": short functions called often look slower than they are; leave some out (min-size=, "
                           "functions=stages, filter=)");
}

void account_find(struct model *model)
{
    struct model_run *r = &model->run;
    double cpu_ns = (double)(r->user_ns + r->system_ns), ns = 0, variance = 0;
    double timed_ns = fmin((double)r->events_timed * r->frame_ns, (double)r->self_ns);
    r->cost_unknown = !r->account_known  ? "an older runtime recorded it"
                      : run_is_cut(r)    ? "the end of the run was not seen"
                      : !(cpu_ns > 0)    ? "the CPU time is not known"
                      : run_is_unsampled(model) ? "there are no samples"
                                         : NULL;
    if (r->cost_unknown)
        return;
    const struct part part[PARTS] = {
        [FIXED] = fixed_part(r, timed_ns),
        [SAMPLES] = samples_part(r),
        [CALLS] = calls_part(r),
        [CODE] = code_part(model, timed_ns, cpu_ns),
        [COUNTS] = counts_part(model, cpu_ns),
        [SWITCHES] = switches_part(r),
    };
    size_t worst = 0;
    for (size_t i = 0; i < PARTS; i++) {
        ns += part[i].ns;
        variance += part[i].reach * part[i].reach;
        worst = part[i].reach > part[worst].reach ? i : worst;
    }
    double low = fmax(ns - sqrt(variance), 0), high = ns + sqrt(variance);
    r->self_ns = number_whole(fmin(low, cpu_ns));
    r->self_most_ns = number_whole(fmin(high, cpu_ns));
    double least = run_overhead_percent(r, low), most = run_overhead_percent(r, high);
    if (heap_ns(r) > HEAP_MOST * cpu_ns)
        r->cost_unknown = "what an allocation costs is not known where a program does little else";
    else if (run_is_short(r) ? high - low > WIDTH_PART * ns
                        : most - least > fmax(WIDTH_PERCENT, WIDTH_PART * (least + most) / 2))
        r->cost_unknown = doubts[worst];
    else
        budget_tell(model, &part[COUNTS]);
}
