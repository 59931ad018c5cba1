/* SPDX-License-Identifier: MIT */
/* total.c: the inclusive time of a function of which not every call was timed: by the calls that were, by samples, or by both. Must not know the file's
 * bytes, ELF or output. */
#include "estimate/total.h"

#include <math.h>

#define FEWEST_DRAWN 4                           /* calls: fewer say nothing of their spread */
#define SHORT_NS 1000                            /* calls that take less are samples' to know */
#define CLOCK_COST_RATIO 2.0                                 /* of what timing a call costs: so much of it is in the time of a call of a program that does other things in between */
#define SLICE_NS 4e6                             /* of CPU time, between what takes a thread off a CPU that others want, too */
#define PREEMPT_WAIT_RATIO 20.0                                /* so much longer it waits there than where it wakes up */
#define DISAGREE 2.5                             /* of both errors: then two estimates are not of the same */
#define GOOD_PERCENT 10.0                        /* error of a total by clocks that is not worth a total by samples, which know of no waiting */

static double square(double x) { return x * x; }

/* From the calls that were drawn to be timed, each for those since the last; a ratio estimator, its variance by the squares of what each is off
 * (Cochran, Sampling Techniques, 1977, 6.4). One more, as far off as the mean, stands for what so few cannot show. The first ones stand for themselves. Reading
 * the clock is in each, and coming back from it to a function whose lines have gone cold: of short ones that is most of what a clock says. */
static struct value total_drawn(const struct model *model, const struct model_function *f)
{
    double drawn = (double)f->timed_calls - PP_TIMED_FIRST, calls = (double)f->calls, booked = (double)f->booked_calls;
    if (f->recursive || drawn < FEWEST_DRAWN || !f->booked_calls || !f->weighted_ns)
        return (struct value){ 0, 0 };
    double mean_ns = (double)f->weighted_ns / booked, ns = mean_ns * calls, rest = fmax(0, 1 - (double)f->timed_calls / calls);
    if (mean_ns < SHORT_NS && model->coverage.samples)
        return (struct value){ 0, 0 };
    double variance = (f->squares_ns2 * (calls / booked) * (calls / booked) * drawn / (drawn - 1) + ns * ns / (drawn * drawn)) * rest;
    double clock_ns = calls * model->run.frame_ns * CLOCK_COST_RATIO;
    return (struct value){ ns + f->inlined_ns, variance + clock_ns * clock_ns };
}

/* What threads waited for a CPU: it comes at the end of a wait, which has been measured with it, or where a thread's slice of time was over. Which it was is not
 * known: a thread that wakes up is mostly let in soon, one whose slice is over waits for the others' slices; at most they are alike. */
struct delay { double ns, woken_ns; };           /* without what came behind waits; as much of that as there may be */

static struct delay delay_find(const struct model *model)
{
    double waits = operations_waits(model), slices = (double)(model->run.user_ns + model->run.system_ns) / SLICE_NS, all = (double)model->run.delay_ns;
    return (struct delay){ all - all * waits / fmax(1, waits + PREEMPT_WAIT_RATIO * slices), all * waits / fmax(1, waits + slices) };
}

/* Of a function that had that part of all CPU time: the delay comes as CPU time goes, a piece here and a piece there; whose it was is the surer the more of the time one
 * function has. */
static struct value delay_part(struct delay d, double part)
{
    double ns = part * d.ns;
    return (struct value){ ns, fmin(ns * ns / 3, part * (1 - part) * d.ns * d.ns) + square(part * d.woken_ns) / 12 };
}

/* Inclusive time by samples and by what it waited in operations; or by the calls that were timed, which know of all waiting, but nothing of a few
 * long calls among many short ones that none of them met. */
static struct value total_estimate(const struct model *model, const struct model_function *f, struct value sampled, struct delay delays)
{
    struct value drawn = total_drawn(model, f);
    const struct model_coverage *c = &model->coverage;
    if (drawn.ns <= 0)
        return sampled;
    double cpu = (double)(model->run.user_ns + model->run.system_ns), part = c->samples ? fmax(0, sampled.ns - f->stalled.ns) / fmax(1, c->sampled_ns) : drawn.ns / fmax(1, cpu);
    struct value delay = delay_part(delays, fmin(1, part));
    /* The less the timed calls lie apart, the less of it was in them. */
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
        drawn.variance += more * more * (more * more / (both + more * more));       /* the less, the more likely by chance */
    if (drawn.ns > sampled.ns + chance || value_error_percent(drawn) <= fmax(GOOD_PERCENT, 2 * value_error_percent(sampled)))
        return drawn;
    if (sampled.ns <= 0)
        return drawn;
    double kernel_ns = part * c->kernel_ns;       /* whose it was is not known: none, or as much as others' */
    double of_clocks = 1 / drawn.variance, of_samples = 1 / fmax(1, sampled.variance + kernel_ns * kernel_ns / 3);
    double ns = (drawn.ns * of_clocks + sampled.ns * of_samples) / (of_clocks + of_samples);
    return (struct value){ fmax(ns, sampled.ns), 1 / (of_clocks + of_samples) };
}

/* What clocks say of a function stands as it is where every call of it was timed. Else samples know more: they also saw its inlined
 * copies, and its first instructions, which run before its node is entered. */
void totals_find(struct model *model, const struct regions *regions)
{
    struct delay delays = delay_find(model);
    for (size_t i = 0; i < model->function_count; i++) {
        struct model_function *f = &model->function[i];
        struct value sampled = { f->total_sampled.ns + f->stalled.ns, f->total_sampled.variance + f->stalled.variance };
        if (!f->total_known && model->path_count && (f->total_samples || f->stalled.ns > 0)) {
            f->total = sampled;                  /* no clock knows it; inlined copies are among its samples */
            f->total_known = true;
            continue;
        }
        if (!f->total_known)
            continue;
        f->total_exact = f->total_exact && f->calls <= f->node_calls && f->inlined_ns <= 0;
        if (f->total_exact) {
            f->total = (struct value){ (double)f->function_ns, 0 };
            f->stalled.ns = fmin(f->stalled.ns, f->total.ns);        /* a handler waited within a wait */
            continue;
        }
        f->total.ns += f->inlined_ns;
        if (f->inlined_ns > 0)
            f->total.variance += regions_variance(regions, f->inlined_ns);
        if (sampled.ns > f->total.ns)
            f->total = sampled;
        f->total = total_estimate(model, f, f->total, delays);
        f->total_known = f->total.variance > 0;          /* else only calls that were timed are in it */
    }
}
