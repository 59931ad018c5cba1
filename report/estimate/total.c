/* SPDX-License-Identifier: MIT */
/* total.c: inclusive time of functions that were not timed at every call: by the timed calls, by samples, or by both.
 * It must not know the file's bytes, ELF or output. */
#include "estimate/total.h"

#include <math.h>

#define FEWEST_DRAWN 4 /* fewer timed calls say nothing about their spread */
#define SHORT_NS 1000  /* shorter calls: samples know them better */
/* times the price of a timed call: how much of it lies in the measured time when the program does other work in
 * between */
#define CLOCK_COST_RATIO 2.0
#define SLICE_NS 4e6 /* CPU time of a time slice */
/* a preempted thread waits that much longer for a CPU than one that wakes up */
#define PREEMPT_WAIT_RATIO 20.0
/* combined errors: beyond that, two estimates do not measure the same */
#define DISAGREE 2.5
/* with a smaller error, timed calls are preferred to samples, which miss waiting */
#define GOOD_PERCENT 10.0

static double square(double x) { return x * x; }

/* Estimate from the timed calls, each for the calls since the last one. It is a ratio estimator; its variance comes
 * from the squared deviations (Cochran, Sampling Techniques, 1977, 6.4). One more deviation as large as the mean stands
 * for what so few calls cannot show. The first calls stand for themselves. Each timed call includes reading the clock
 * and returning to a cold cache, which dominates short calls. */
static struct value total_drawn(const struct model *model, const struct model_function *f)
{
    double drawn = (double)f->timed_calls - PP_TIMED_FIRST, calls = (double)f->calls, booked = (double)f->booked_calls;
    if (f->recursive || drawn < FEWEST_DRAWN || !f->booked_calls || !f->weighted_ns)
        return (struct value){ 0, 0 };
    double mean_ns = (double)f->weighted_ns / booked, ns = mean_ns * calls,
           rest = fmax(0, 1 - (double)f->timed_calls / calls);
    if (mean_ns < SHORT_NS && model->coverage.samples)
        return (struct value){ 0, 0 };
    double variance =
        (f->squares_ns2 * (calls / booked) * (calls / booked) * drawn / (drawn - 1) + ns * ns / (drawn * drawn)) * rest;
    double clock_ns = calls * model->run.frame_ns * CLOCK_COST_RATIO;
    return (struct value){ ns + f->inlined_ns, variance + clock_ns * clock_ns };
}

/* Threads wait for a CPU after waking up, which is measured as part of the wait, or when their time slice ended.
 * Which it was is not known. After waking up a thread is mostly let in soon; at most both delays are equally long. */
struct delay {
    double ns, woken_ns;
}; /* without what came behind waits; as much of that as there may be */

static struct delay delay_find(const struct model *model)
{
    double waits = operations_waits(model), slices = (double)(model->run.user_ns + model->run.system_ns) / SLICE_NS,
           all = (double)model->run.delay_ns;
    return (struct delay){ all - all * waits / fmax(1, waits + PREEMPT_WAIT_RATIO * slices),
                           all * waits / fmax(1, waits + slices) };
}

/* The part of the delay that belongs to a function with that share of the CPU time. Preemption follows CPU time; the
 * larger the share, the smaller the relative error. */
static struct value delay_part(struct delay d, double part)
{
    double ns = part * d.ns;
    return (struct value){ ns, fmin(ns * ns / 3, part * (1 - part) * d.ns * d.ns) + square(part * d.woken_ns) / 12 };
}

/* Inclusive time by samples plus waits in operations; or by the timed calls, which know all waiting but may miss a
 * few long calls among many short ones. */
static struct value total_estimate(const struct model *model, const struct model_function *f, struct value sampled,
                                   struct delay delays)
{
    struct value drawn = total_drawn(model, f);
    const struct model_coverage *c = &model->coverage;
    if (drawn.ns <= 0)
        return sampled;
    double cpu = (double)(model->run.user_ns + model->run.system_ns),
           part = c->samples ? fmax(0, sampled.ns - f->stalled.ns) / fmax(1, c->sampled_ns) : drawn.ns / fmax(1, cpu);
    struct value delay = delay_part(delays, fmin(1, part));
    /* The closer the timed calls are together, the less delay was in them. */
    drawn.ns += delay.ns * (delay.ns * delay.ns / fmax(1, delay.ns * delay.ns + drawn.variance));
    drawn.variance += delay.variance;
    if (!c->samples)
        return drawn.ns > f->stalled.ns ? drawn : (struct value){ f->stalled.ns, drawn.variance + f->stalled.variance };
    sampled.ns += delay.ns;
    sampled.variance += delay.variance;
    double both = drawn.variance + sampled.variance, more = sampled.ns - drawn.ns, chance = DISAGREE * sqrt(both);
    if (more > chance)
        return sampled;
    if (more > 0)
        /* the smaller the excess, the likelier it is chance */
        drawn.variance += more * more * (more * more / (both + more * more));
    if (drawn.ns > sampled.ns + chance ||
        value_error_percent(drawn) <= fmax(GOOD_PERCENT, 2 * value_error_percent(sampled)))
        return drawn;
    if (sampled.ns <= 0)
        return drawn;
    double kernel_ns = part * c->kernel_ns; /* it is not known whose it was: between none and an equal share */
    double of_clocks = 1 / drawn.variance, of_samples = 1 / fmax(1, sampled.variance + kernel_ns * kernel_ns / 3);
    double ns = (drawn.ns * of_clocks + sampled.ns * of_samples) / (of_clocks + of_samples);
    return (struct value){ fmax(ns, sampled.ns), 1 / (of_clocks + of_samples) };
}

/* If every call was timed, the clocks are right. Otherwise samples know more: they also see inlined copies, and the
 * first instructions before the node is entered. */
void totals_find(struct model *model, const struct regions *regions)
{
    struct delay delays = delay_find(model);
    for (size_t i = 0; i < model->function_count; i++) {
        struct model_function *f = &model->function[i];
        struct value sampled = { f->total_sampled.ns + f->stalled.ns, f->total_sampled.variance + f->stalled.variance };
        if (!f->total_known && model->path_count && (f->total_samples || f->stalled.ns > 0)) {
            f->total = sampled; /* it was never timed; samples include its inlined copies */
            f->total_known = true;
            continue;
        }
        if (!f->total_known)
            continue;
        f->total_exact = f->total_exact && f->calls <= f->node_calls && f->inlined_ns <= 0;
        if (f->total_exact) {
            f->total = (struct value){ (double)f->function_ns, 0 };
            f->stalled.ns = fmin(f->stalled.ns, f->total.ns); /* a signal handler waited within a wait */
            continue;
        }
        f->total.ns += f->inlined_ns;
        if (f->inlined_ns > 0)
            f->total.variance += regions_variance(regions, f->inlined_ns);
        if (sampled.ns > f->total.ns)
            f->total = sampled;
        f->total = total_estimate(model, f, f->total, delays);
        f->total_known = f->total.variance > 0; /* otherwise only timed calls are in it */
    }
}
