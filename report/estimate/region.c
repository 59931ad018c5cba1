/* SPDX-License-Identifier: MIT */
/* region.c: see region.h.
 *
 * Samples come at drawn intervals (rt/sample/interval.h). So of the N samples of a region the K in a line are binomial,
 * or nearly so, whatever the program does: the variance of the share q = K/N is q (1 - q) / N. A signal at the
 * kernel's tick represents several samples at once. So sums of squares of these numbers take the place of the counts.
 *
 * A region's user CPU time is known from two sources. Samples give it within sqrt(N) of them. Clocks give the user and
 * kernel time of a stage together to the microsecond, but the kernel's ticks separate the two only for the whole
 * process. The estimate is the mean of both, weighted by their variances: the clocks decide if there is little kernel
 * time, otherwise the samples. All shares of the region have its error in common.
 *
 * Where ticks keep step with the program, clocks tell more than that. Each sample was taken while one timed activation
 * was the innermost. All samples of a node of the call tree together stand for the time that its activations had, less
 * that of the timed ones within. The runtime says how long they had no CPU, and waits are known. A node without samples
 * adds its time to the next caller's that has some. */
#include "estimate/region.h"
#include "estimate/kernel.h"

#include <math.h>
#include <stdlib.h>

#define FEWEST_USER_NS 50e6 /* less is only a few of the kernel's ticks */
#define CHANCE 4            /* errors by which samples and the kernel's ticks may differ in the run's user time */
#define TICK_NS 4e6         /* length of the ticks that split user from system time: 1 to 10 ms */
/* kernel time to block and to wake up. No tick falls into it: it is short, and follows idle time without ticks. */
#define WAIT_NS 5e3

#define BELIEVED 0.25 /* if all nodes differ by a larger part of the CPU time, clocks are not believed */
#define SURELY 0.03   /* by no more than that and the error of all waits: no node's clock has unknown ones in it */
#define SURE 2         /* standard errors */
#define FACTOR_MOST 100.0 /* a sample stands for so many times what the ticks say at most */

static double square(double x) { return x * x; }

static struct value mean_of(struct value a, struct value b)
{
    if (a.variance <= 0 || b.variance <= 0)
        return b.variance <= 0 ? b : a;
    double of_a = 1 / a.variance, of_b = 1 / b.variance;
    return (struct value){ (a.ns * of_a + b.ns * of_b) / (of_a + of_b), 1 / (of_a + of_b) };
}

uint32_t region_of(const struct model *model, const struct model_sample *sample)
{
    uint32_t stage = model->node[sample->node].stage;
    return stage == MODEL_NONE ? 0 : stage + 1;
}

/* Sum of squares of what the signals of an entry represent. */
static double entry_squares(const struct model_sample *s)
{
    double count = fmax(1, (double)s->count), each = (double)s->ns / count;
    return each * each * (count + s->excess);
}

/* The callee of the sample's node, whose calls are not timed, that led to it; beyond all nodes, if it is in the node
 * itself. Clocks tell of each of these. */
static size_t sample_stratum(const struct model *model, const struct model_sample *s)
{
    uint32_t at = s->probed_node ? s->node : 0;
    while (at && at != s->probed_node && model->node[at].parent != s->probed_node)
        at = model->node[at].parent;
    return at && at != s->probed_node ? at : model->node_count + s->probed_node;
}

static void samples_add(struct regions *r)
{
    const struct model *model = r->model;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        struct region *in = &r->region[region_of(model, s)];
        double squares = entry_squares(s);
        in->booked_ns += (double)s->ns;
        in->squares_ns2 += squares;
        r->booked_ns += (double)s->ns;
        r->squares_ns2 += squares;
        if (r->stratum) {
            struct stratum *within = &r->stratum[sample_stratum(model, s)];
            within->booked_ns += (double)s->ns;
            within->squares_ns2 += squares;
        }
        r->model->coverage.samples += s->count;
    }
}


/* What the profiler did where no sample sees it: in its signals, at its start and end, and in system calls. */
double regions_own(const struct model_run *run)
{
    double timed = (double)run->events_timed * run->frame_ns;
    return (double)run->calls_ns + fmax(0, (double)run->self_ns - timed);
}

/* The user time by the ticks that split it from the kernel's. */
struct value regions_split(const struct model *model)
{
    double user = (double)model->run.user_ns, kernel = (double)model->run.system_ns;
    return (struct value){ user,
                           TICK_NS * fmax(fmin(user, kernel), TICK_NS) + square(WAIT_NS * operations_waits(model)) };
}

/* The user time of the run. Samples may represent less than the ticks say, beyond chance. A gap of up to a quarter is
 * spread over all samples. A larger gap means that sampling did not run all the time: it is shown as not sampled. If
 * samples represent more, the ticks are wrong, for example because they coincide with signals. Returns the factor for a
 * region's samples before its clocks are considered. */
static double run_find(struct regions *r)
{
    struct model_coverage *c = &r->model->coverage;
    double user = (double)r->model->run.user_ns, kernel = (double)r->model->run.system_ns, all = user + kernel,
           stretch = 1;
    struct value sampled = { r->booked_ns, r->squares_ns2 }, ticks = regions_split(r->model);
    double chance = CHANCE * sqrt(sampled.variance + ticks.variance);
    bool gap = sampled.ns <= 0 || user - sampled.ns > fmax(0.25 * user, chance);
    if (r->by_threads > 0)
        sampled.variance = r->by_threads;
    r->user = sampled;
    if (!gap && user >= FEWEST_USER_NS) {
        if (user - sampled.ns > chance) {
            stretch = user / sampled.ns;
            r->user = (struct value){ user, ticks.variance + sampled.variance * square(stretch) +
                                                square(user - sampled.ns) / 4 };
        } else if (sampled.ns - user <= chance && r->by_threads <= 0) {
            r->user = mean_of(sampled, ticks);
            r->user.variance += square(TICK_NS / 2);
        }
    }
    /* Clocks placed kernel time in calls, which leaves less for the program's own code than its samples may say. */
    kernel_limit(r->model, fmax(0, all - fmax(0, r->user.ns - 3 * sqrt(r->user.variance))));
    double own = regions_own(&r->model->run);
    r->settled_user = r->user.variance;
    if (!gap) {
        double off = all - r->user.ns - c->placed_ns - own;
        r->user.ns = fmax(0, r->user.ns + kernel_settle(r->model, off, r->user.variance, fmax(0, all - r->user.ns)));
    }
    double most = fmax(0, all - c->placed_ns);
    if (all > 0 && r->user.ns > most) { /* few samples may overshoot */
        r->user.variance *= square(most / r->user.ns);
        r->user.ns = most;
    }
    c->scale = r->booked_ns > 0 ? r->user.ns / r->booked_ns : 1;
    c->sampled_ns = r->user.ns;
    bool part = gap || user < FEWEST_USER_NS;
    c->not_sampled_ns = part ? fmax(0, fmin(user, gap ? most : most - own - c->unplaced_ns) - r->user.ns) : 0;
    r->user.variance += square(fmax(0, c->not_sampled_ns - TICK_NS)); /* it may all belong to one line */
    c->kernel_ns = fmax(0, all - c->sampled_ns - c->not_sampled_ns);
    c->toll_ns = fmin(own, fmax(0, c->kernel_ns - c->placed_ns));
    return part ? 0 : stretch;
}

/* The CPU time of each region by clocks; a negative one is not known. */
static void clocks_find(const struct model *model, struct value *clock)
{
    clock[0] = (struct value){ (double)(model->run.user_ns + model->run.system_ns), 0 };
    for (size_t i = 0; i < model->stage_count; i++) {
        const struct model_stage *s = &model->stage[i];
        bool known =
            s->metric_known[PP_METRIC_CPU] && model->run.metrics_measured >> PP_METRIC_CPU & 1 && !s->times.open;
        clock[i + 1] =
            (struct value){ known ? s->metric[PP_METRIC_CPU] : -INFINITY, s->metric_variance[PP_METRIC_CPU] };
    }
    for (size_t i = 0; i < model->stage_count; i++) {
        uint32_t outer = model->stage[i].parent == MODEL_NONE ? 0 : model->stage[i].parent + 1;
        const struct model_stage *s = &model->stage[i];
        bool known = s->metric_known[PP_METRIC_CPU] && !s->times.open;
        clock[outer].ns = known ? clock[outer].ns - s->metric[PP_METRIC_CPU] : -INFINITY;
        clock[outer].variance += s->metric_variance[PP_METRIC_CPU];
    }
}

/* Chooses each region's user time so that all sum to the run's. Kernel time in a region is at most all kernel time,
 * and at least what the other regions cannot hold. */
static void regions_find(struct regions *r, double stretch)
{
    struct model *model = r->model;
    const struct model_coverage *c = &model->coverage;
    struct value *clock = memory_zeroed(model->stage_count + 1, sizeof *clock);
    double all = c->sampled_ns + c->not_sampled_ns + c->kernel_ns, sum = 0;
    size_t hit = 0;
    clocks_find(model, clock);
    for (size_t i = 0; i <= model->stage_count; i++) {
        struct region *in = &r->region[i];
        if (in->booked_ns <= 0)
            continue;
        in->user = (struct value){ in->booked_ns * c->scale, in->squares_ns2 * square(c->scale) };
        if (stretch > 0 && clock[i].ns > 0 && all > 0) {
            double most = fmin(clock[i].ns, c->kernel_ns), least = fmax(0, c->kernel_ns - (all - clock[i].ns)),
                   part = clock[i].ns / all;
            struct value by_clock = { clock[i].ns * r->user.ns / all, clock[i].variance +
                                                                          square(fmax(0, most - least) / 2) +
                                                                          square(part) * r->user.variance };
            struct value by_samples = { in->booked_ns * stretch, in->squares_ns2 * square(stretch) };
            if (fabs(by_samples.ns - by_clock.ns) <= 4 * sqrt(by_samples.variance + by_clock.variance))
                in->user = mean_of(by_samples, by_clock);
        }
        sum += in->user.ns;
        hit++;
    }
    for (size_t i = 0; i <= model->stage_count && sum > 0; i++) {
        struct region *in = &r->region[i];
        double scale = r->user.ns / sum, part = in->user.ns / sum;
        in->user = hit == 1 && part > 0
                       ? r->user
                       : (struct value){ in->user.ns * scale, in->user.variance * square(scale) * (1 - part) +
                                                                  square(part) * r->user.variance };
    }
    regions_reconcile(r, clock);
    free(clock);
}

#define CLOCK_SIGMA 0.05 /* of an activation that no wait and no call is in: preemption that was not noticed */
#define OFF_SIGMA 0.5    /* of the time without a CPU that was noticed */
#define PLAIN 0.1        /* of a node's time: more of waits and calls, and clocks tell nothing of its own */

/* Where all clocks together are not believed, since waits are not known by node: those of nodes that do not wait. What
 * samples tell and what clocks tell are taken by their variances, unless they contradict each other. False: not known.
 */
static bool plain_value(const struct model_node *n, struct value by_samples, double other_ns, struct value *value)
{
    double self = (double)n->self_ns, off = (double)n->off_ns;
    struct value clock = { self - off - other_ns, square(CLOCK_SIGMA * self) + square(OFF_SIGMA * off) };
    if (!n->self_ns || n->timed_calls < n->calls || other_ns > PLAIN * self || clock.ns <= 0 || by_samples.ns <= 0 ||
        square(clock.ns - by_samples.ns) > square(2) * (clock.variance + by_samples.variance))
        return false;
    *value = mean_of(clock, by_samples);
    return true;
}

/* What these nodes gain the others lose, as far as their samples are less certain than the clocks. */
static void plain_rake(struct model *model)
{
    struct value *sampled = memory_zeroed(model->node_count + 1, sizeof *sampled), others = { 0, 0 }, plain = { 0, 0 };
    double *other_ns = memory_zeroed(model->node_count + 1, sizeof *other_ns),
           *factor = memory_zeroed(model->node_count + 1, sizeof *factor);
    for (size_t i = 0; i < model->node_count; i++)
        other_ns[i] = model->node[i].paused.ns;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        other_ns[s->probed_node] += s->system.ns;
        sampled[s->probed_node].ns += (double)s->ns;
        sampled[s->probed_node].variance += entry_squares(s);
    }
    for (size_t i = 0; i < model->node_count; i++) {
        struct value value;
        if (i && plain_value(&model->node[i], sampled[i], other_ns[i], &value)) {
            factor[i] = value.ns / sampled[i].ns;
            plain.ns += value.ns - sampled[i].ns;
            plain.variance += value.variance;
        } else {
            others.ns += sampled[i].ns;
            others.variance += sampled[i].variance;
        }
    }
    double rest = 1;
    if (others.ns > 0)
        rest = fmax(1 / FACTOR_MOST, 1 - plain.ns / others.ns * others.variance / (others.variance + plain.variance));
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        double of = factor[s->probed_node];
        s->ns = number_whole((double)s->ns * (of > 0 ? of : rest));
    }
    free(sampled);
    free(other_ns);
    free(factor);
}

#define AGREE 3.0 /* standard errors */

/* Clocks count the runtime's own time, too, which no sample has: each node gives up its share of that. */
static void own_leave(const struct model *model, const double *booked_ns, double *clock_ns)
{
    double *system_ns = memory_zeroed(model->node_count + 1, sizeof *system_ns), all = 0;
    for (size_t i = 0; i < model->sample_count; i++)
        system_ns[model->sample[i].probed_node] += model->sample[i].system.ns;
    for (size_t i = 1; i < model->node_count; i++)
        all += booked_ns[i] > 0 ? clock_ns[i] + system_ns[i] : 0;
    double part = all > 0 ? fmin(1, regions_own(&model->run) / all) : 0;
    for (size_t i = 1; i < model->node_count; i++)
        clock_ns[i] -= part * (clock_ns[i] + system_ns[i]);
    free(system_ns);
}

/* A node's clock less the kernel's time and waits is as uncertain as these are, and samples are in user code alone.
 * Where they tell it more closely they count, and what the clock has beyond them is the kernel's time there. If they
 * contradict each other, the clock has time in it that is no CPU time, such as waits, unless all clocks together are
 * `sure`. Returns the user time of all. *spread: relative variance of that of each node. */
static double kernel_part(struct model *model, const struct locations *where, const double *booked_ns, double *clock_ns,
                          bool sure, double step, double *spread)
{
    double *kernel = memory_zeroed(model->node_count + 1, sizeof *kernel),
           *squares = memory_zeroed(model->node_count + 1, sizeof *squares),
           *more = memory_zeroed(model->node_count + 1, sizeof *more), *line = kernel_lines(model, where), all = 0;
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        kernel[s->probed_node] += s->system.variance;
        squares[s->probed_node] += s->count ? entry_squares(s) : 0;
    }
    for (size_t i = 1; i < model->node_count; i++) {
        struct value ticks = { booked_ns[i], squares[i] * (sure ? step : 1) },
                     clock = { clock_ns[i], kernel[i] + model->node[i].paused.variance };
        if (ticks.ns > 0 && clock.variance > 0 && ticks.variance > 0) {
            double chi = square(clock.ns - ticks.ns) / (clock.variance + ticks.variance);
            bool told = sure || chi <= square(AGREE);
            struct value both = told ? mean_of(clock, ticks) : ticks;
            clock_ns[i] = both.ns = fmax(both.ns, ticks.ns / FACTOR_MOST);
            more[i] = told ? (clock.ns - both.ns) * kernel[i] / clock.variance : 0;
            spread[i] = both.variance * (sure ? fmax(1, chi) : 1) / square(both.ns);
        }
        clock_ns[i] = fmax(0, clock_ns[i]);
        all += booked_ns[i] > 0 ? clock_ns[i] : 0;
    }
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        uint32_t n = s->probed_node;
        if (!n || more[n] == 0 || s->system.variance <= 0)
            continue;
        double ns = fmax(0, s->system.ns + more[n] * s->system.variance / kernel[n]),
               left = fmax(0, 1 - line[i] / (kernel[n] + squares[n]));
        model->coverage.placed_ns += ns - s->system.ns;
        s->system = (struct value){ ns, s->system.variance * left };
        s->joint *= left;
    }
    free(line);
    free(kernel);
    free(squares);
    free(more);
    return all;
}

/* The user CPU time of each node's own activations, and with their callees. Own times are below 0 where the kernel's is
 * more than the clock has. Returns that of all. */
static double nodes_clock(const struct model *model, const double *booked_ns, double *clock_ns, double *total_ns)
{
    double all = 0;
    for (size_t i = 0; i < model->sample_count; i++)
        clock_ns[model->sample[i].probed_node] -= model->sample[i].system.ns;
    for (size_t i = 1; i < model->node_count; i++) {
        const struct model_node *n = &model->node[i];
        clock_ns[i] += (double)n->self_ns - (double)n->off_ns - n->paused.ns;
        total_ns[i] = fmax(0, clock_ns[i]);
    }
    for (size_t i = model->node_count; i-- > 1;) {
        const struct model_node *n = &model->node[i];
        total_ns[n->parent] += total_ns[i];
        all += clock_ns[i];
        if (booked_ns[i] <= 0) {
            clock_ns[n->parent] += clock_ns[i];
            all -= clock_ns[i];
        }
    }
    return all;
}

#define CALL_SIGMA 0.1  /* what timed calls last, against others: they come more often at first */
#define COLD 3.0        /* a timed call takes so many times what it does in the loop that measures it, or twice that */
#define CALL_SPREAD 4.0 /* how far calls of a function differ, in parts of their mean */
#define CALLS_LEAST 32  /* timed ones that tell anything */
#define CONTRADICT 5.0  /* standard errors: beyond, timed calls were others than those that were not */
#define FEW_TICKS 5     /* fewer say nothing of how far they are off */
#define FREEDOM_LEAST 4 /* degrees of freedom of a chi-square that tells */
#define NODE_SIGMA 0.03 /* of a node's time by clocks, where all clocks are believed */

double calls_untimed_ns(const struct model *model, const struct model_node *n, double total_ns)
{
    double timed = (double)n->timed_calls, others = (double)n->calls - timed;
    bool told = !n->sampled_only && timed >= CALLS_LEAST && others > 0 && node_timed(&model->node[n->parent]);
    return told ? fmax(0, (total_ns / timed - COLD * model->run.frame_ns) * others) : 0;
}

/* The time of a node's calls that were not timed: by ticks, and by those that were. */
static struct value calls_value(const struct model *model, const struct model_node *n, double total_ns,
                                struct value by_ticks)
{
    double timed = (double)n->timed_calls, others = (double)n->calls - timed, price_ns = COLD * model->run.frame_ns;
    struct value by_calls = { calls_untimed_ns(model, n, total_ns), 0 };
    if (by_calls.ns <= 0 || by_ticks.ns <= 0)
        return by_ticks;
    by_calls.variance = square(price_ns * others) +
                        square(by_calls.ns) * (square(CALL_SIGMA) + (1 + square(CALL_SPREAD)) / timed);
    if (by_ticks.variance <= 0) /* nodes_meet has it from these calls */
        return by_calls;
    struct value ticks = { by_ticks.ns, by_ticks.variance * fmax(1, by_calls.ns / by_ticks.ns) };
    double chi = square(by_calls.ns - ticks.ns) / (by_calls.variance + ticks.variance);
    if (chi > square(CONTRADICT))
        return by_ticks;
    struct value both = mean_of(by_calls, ticks);
    both.variance *= fmax(1, chi);
    return both;
}

/* How sure the time of each stratum is. Clocks know the time of its node; ticks, and calls that were timed, tell which
 * part of it the stratum has. For samples outside of all nodes there are only ticks. */
static void strata_open(struct regions *r, const struct model *model, const struct value *found,
                        const struct value *caller, const double *spread)
{
    size_t count = model->node_count;
    r->stratum = memory_zeroed(2 * count, sizeof *r->stratum);
    for (size_t i = 1; i < 2 * count; i++) {
        size_t node = i < count ? model->node[i].parent : i - count;
        const struct value *all = &caller[node];
        /* what one part of a node has too much the others have too little */
        double part = all->variance > 0 && i != count ? found[i].variance / all->variance : 0;
        r->stratum[i].variance = (i == count ? 0 : square(NODE_SIGMA) + spread[node]) +
                                 (found[i].ns > 0 ? found[i].variance * (1 - part) / square(found[i].ns) : 0);
    }
}

/* Calls that are not timed share their caller's time by ticks. Those that were timed tell of the others, too. */
static void calls_rake(struct regions *r, struct model *model, const double *total_ns, const double *spread)
{
    size_t count = model->node_count;
    struct value *ticks = memory_zeroed(2 * count, sizeof *ticks), *found = memory_zeroed(2 * count, sizeof *found),
                 *off = memory_zeroed(count, sizeof *off); /* of each caller */
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        struct value *of = &ticks[sample_stratum(model, s)];
        of->ns += (double)s->ns;
        of->variance += s->count ? entry_squares(s) : 0;
    }
    for (size_t i = 1; i < 2 * count; i++) {
        found[i] = i < count ? calls_value(model, &model->node[i], total_ns[i], ticks[i]) : ticks[i];
        struct value *caller = &off[i < count ? model->node[i].parent : i - count];
        caller->ns += ticks[i].ns - found[i].ns;
        caller->variance += found[i].variance;
    }
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        size_t at = sample_stratum(model, s);
        const struct value *of = &off[s->probed_node];
        double ns = found[at].ns + (of->variance > 0 ? of->ns * found[at].variance / of->variance : 0),
               factor = s->probed_node && s->ns ? ns / ticks[at].ns : 1;
        s->ns = number_whole((double)s->ns * fmin(FACTOR_MOST, fmax(1 / FACTOR_MOST, factor)));
    }
    strata_open(r, model, found, off, spread);
    free(ticks);
    free(found);
    free(off);
}

/* How much more ticks are off from clocks, by node, than their number and the kernel's time say: then they keep step.
 * Errors never grow by more than what is assumed where clocks do not tell; returned is how much more it is. Nodes that
 * had few ticks are taken together. */
static double step_find(struct regions *r, struct model *model, const double *booked_ns, const double *clock_ns)
{
    size_t count = model->node_count;
    double squares = 0, ticks_ns = 0, clocks_ns = 0, parts = 0, chi = 0, rest[3] = { 0, 0, 0 },
           *kernel = memory_zeroed(count + 1, sizeof *kernel), *met_ns = memory_zeroed(count + 1, sizeof *met_ns);
    for (size_t i = 0; i < model->sample_count; i++) {
        const struct model_sample *s = &model->sample[i];
        kernel[s->probed_node] += s->system.variance / r->widened;
        if (!s->probed_node || !s->count)
            continue; /* no tick met it: nodes_meet */
        squares += entry_squares(s) / r->widened;
        met_ns[s->probed_node] += (double)s->ns;
        ticks_ns += (double)s->ns;
    }
    for (size_t i = 1; i < count; i++)
        kernel[i] += model->node[i].paused.variance, clocks_ns += booked_ns[i] > 0 ? clock_ns[i] : 0;
    double signals = squares > 0 && clocks_ns > 0 ? square(ticks_ns) / squares : 0;
    for (size_t i = 1; i <= count && signals > 0; i++) {
        bool last = i == count;
        double expected = last ? rest[0] : booked_ns[i] > 0 ? clock_ns[i] / clocks_ns * signals : 0,
               found = last ? rest[1] : met_ns[i] / ticks_ns * signals,
               more = last ? rest[2] : kernel[i] * square(signals / clocks_ns);
        if (expected < FEW_TICKS) {
            rest[0] += expected, rest[1] += found, rest[2] += more;
            continue;
        }
        chi += square(found - expected) / (expected + more);
        parts++;
    }
    double freedom = parts - 1, least = freedom > 0 ? (chi + 2 * sqrt(2 * freedom)) / freedom : INFINITY,
           widened = freedom < FREEDOM_LEAST ? r->widened : fmin(r->widened, fmax(1, least));
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        s->excess = fmax(0, ((double)s->count + s->excess) * widened / r->widened - (double)s->count);
    }
    r->widened = widened;
    free(kernel);
    free(met_ns);
    return freedom < FREEDOM_LEAST ? 1 : fmax(1, least / widened);
}

/* Puts what nodes have by clocks into totals, theirs and their callers', or with -1 takes it from there. */
static void totals_add(const struct model *model, const double *booked_ns, const double *clock_ns, double *total_ns,
                       int sign)
{
    for (size_t i = 1; i < model->node_count; i++)
        for (uint32_t at = booked_ns[i] > 0 ? (uint32_t)i : 0; at; at = model->node[at].parent)
            total_ns[at] = fmax(0, total_ns[at] + sign * fmax(0, clock_ns[i]));
}

/* By how much samples stand for less than the user time: 1, or more where some were lost or not all was sampled. */
double regions_lost(const struct model *model)
{
    struct value sampled = { 0, 0 }, user = regions_split(model);
    for (size_t i = 0; i < model->sample_count; i++)
        if (model->sample[i].count)
            region_book(&model->sample[i], &sampled);
    bool lost = sampled.ns > 0 && user.ns >= FEWEST_USER_NS &&
                user.ns - sampled.ns > CHANCE * sqrt(sampled.variance + user.variance);
    return lost ? user.ns / sampled.ns : 1;
}

/* Clocks and ticks are compared as times. So samples stand for all the user time here, also where some were lost, and
 * in the end for as much as before. */
void regions_rake(struct regions *r, struct model *model, const struct locations *where, bool ticks)
{
    double *booked_ns = memory_zeroed(model->node_count + 1, sizeof *booked_ns),
           *clock_ns = memory_zeroed(model->node_count + 1, sizeof *clock_ns),
           *total_ns = memory_zeroed(model->node_count + 1, sizeof *total_ns),
           *spread = memory_zeroed(model->node_count + 1, sizeof *spread), ticks_ns = 0, system_ns = 0,
           lost = ticks ? regions_lost(model) : 1;
    kernel_stretch(model, lost);
    for (size_t i = 0; i < model->sample_count; i++) {
        struct model_sample *s = &model->sample[i];
        s->ns = s->count ? number_whole((double)s->ns * lost) : s->ns;
        booked_ns[s->probed_node] += (double)s->ns;
        ticks_ns += s->probed_node && s->count ? (double)s->ns : 0; /* else clocks said it: nodes_meet */
        system_ns += s->system.ns;
    }
    double clocks_ns = nodes_clock(model, booked_ns, clock_ns, total_ns),
           cpu_ns = (double)(model->run.user_ns + model->run.system_ns) - booked_ns[0],
           off_ns = fabs(clocks_ns + system_ns - cpu_ns);
    if (ticks && model->run.off_known && clocks_ns > 0 && off_ns <= BELIEVED * cpu_ns) {
        totals_add(model, booked_ns, clock_ns, total_ns, -1);
        own_leave(model, booked_ns, clock_ns);
        double step = step_find(r, model, booked_ns, clock_ns);
        bool sure = off_ns <= SURELY * cpu_ns + SURE * sqrt(model->node[0].stalled.variance);
        clocks_ns = kernel_part(model, where, booked_ns, clock_ns, sure, step, spread);
        totals_add(model, booked_ns, clock_ns, total_ns, 1);
        for (size_t i = 0; i < model->sample_count; i++) {
            struct model_sample *s = &model->sample[i];
            uint32_t n = s->probed_node;
            double factor = n && s->ns ? clock_ns[n] / clocks_ns * ticks_ns / booked_ns[n] : 1;
            s->ns = number_whole((double)s->ns * fmin(FACTOR_MOST, fmax(1 / FACTOR_MOST, factor)));
        }
        calls_rake(r, model, total_ns, spread);
    } else {
        for (size_t i = 0; i < model->sample_count; i++) /* what clocks said that are not believed */
            model->sample[i].ns = model->sample[i].count ? model->sample[i].ns : 0;
        if (model->run.off_known)
            plain_rake(model);
    }
    kernel_stretch(model, 1 / lost);
    for (size_t i = 0; i < model->sample_count; i++)
        model->sample[i].ns = number_whole((double)model->sample[i].ns / lost);
    free(spread);
    free(total_ns);
    free(booked_ns);
    free(clock_ns);
}

void regions_open(struct regions *r, struct model *model)
{
    r->model = model;
    r->region = memory_zeroed(model->stage_count + 1, sizeof *r->region);
    threads_reconcile(r, model);
    samples_add(r);
    samples_miss(model);
    if (!model->run.cpu_closed &&
        (!model->run.sealed || (model->run.exit_kind != MODEL_EXIT_EXIT && model->run.exit_kind != MODEL_EXIT_EXEC)))
        regions_complete(r);
    regions_find(r, run_find(r));
}

double region_ns(const struct regions *r, const struct model_sample *sample)
{
    const struct region *in = &r->region[region_of(r->model, sample)];
    return in->booked_ns > 0 ? (double)sample->ns * in->user.ns / in->booked_ns : 0;
}

void region_share(struct regions *r, const struct model_sample *sample, struct value *to)
{
    struct {
        uint64_t to;
        uint32_t region, stratum;
    } key = { (uint64_t)(uintptr_t)to, region_of(r->model, sample),
              r->stratum ? (uint32_t)sample_stratum(r->model, sample) : 0 };
    uint32_t *found = map_at(&r->known, &key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)r->share_count;
        *ARRAY_PUSH(r->share, r->share_count, r->share_capacity) =
            (struct share){ .to = to, .region = key.region, .stratum = key.stratum };
    }
    r->share[*found].booked_ns += (double)sample->ns;
    r->share[*found].squares_ns2 += entry_squares(sample);
    threads_share(r, sample, to);
}

void region_book(const struct model_sample *sample, struct value *to)
{
    to->ns += (double)sample->ns;
    to->variance += entry_squares(sample);
}

/* Adds half a sample in and half a sample outside the share, so that neither 0 nor 100 % is considered certain. */
static double share_variance(double booked, double squares, double all_booked, double all_squares)
{
    if (all_booked <= 0)
        return 0;
    double each = all_squares / all_booked, n = all_booked + each, q = (booked + each / 2) / n;
    return (square(1 - q) * (squares + each * each / 2) +
            square(q) * (fmax(0, all_squares - squares) + each * each / 2)) /
           square(n);
}

static struct share_sum *sum_of(struct map *rows, struct share_sum *sum, size_t *count, struct value *to)
{
    uint64_t key = (uint64_t)(uintptr_t)to;
    uint32_t *found = map_at(rows, &key, sizeof key);
    if (*found == MAP_FRESH) {
        *found = (uint32_t)*count;
        sum[(*count)++] = (struct share_sum){ .to = to, .kernel = to->variance };
    }
    return &sum[*found];
}

/* All user and kernel time together is the CPU time, which the kernel knows. The sources were made to agree with it,
 * each by its variance. So a function with a large part of that sum is known better than its sources tell. */
static void sums_agree(const struct regions *r, const struct share_sum *sum, size_t count)
{
    const struct model *model = r->model;
    double all = r->settled_user;
    for (size_t i = 0; i < model->sample_count; i++)
        all += model->sample[i].system.variance + model->sample[i].joint;
    all = fmax(all, model->coverage.settled_variance);
    for (size_t i = 0; i < count && model->coverage.settled_variance > 0 && all > 0; i++) {
        double common = fmin(all, sum[i].common + sum[i].kernel);
        sum[i].to->variance = fmax(sum[i].own, sum[i].to->variance - square(common) / all);
    }
}

/* All strata together have the CPU time, which is known: what clocks tell too much for some, the others get too little.
 * A sum may have several strata entirely: the half sample that may be outside of each is counted for one of them. */
static void strata_add(const struct regions *r, struct share_sum *sum, size_t count)
{
    double all = 0, scale = r->booked_ns > 0 ? r->user.ns / r->booked_ns : 0;
    for (size_t i = 0; r->stratum && i < 2 * r->model->node_count; i++)
        all += square(r->stratum[i].booked_ns * scale) * r->stratum[i].variance;
    for (size_t i = 0; i < count; i++) {
        double q = r->user.ns > 0 ? fmin(1, sum[i].user_ns / r->user.ns) : 0;
        sum[i].own += sum[i].whole + square(1 - q) * sum[i].clocks + square(q) * fmax(0, all - sum[i].clocks);
        sum[i].to->variance += sum[i].own;
    }
}

void regions_close(struct regions *r)
{
    struct map rows = { 0 };
    struct share_sum *sum = memory_zeroed(r->share_count + 1, sizeof *sum);
    size_t count = 0;
    for (size_t i = 0; i < r->share_count; i++) {
        const struct share *s = &r->share[i];
        const struct region *in = &r->region[s->region];
        struct share_sum *of = sum_of(&rows, sum, &count, s->to);
        if (in->booked_ns <= 0 || s->booked_ns <= 0)
            continue;
        const struct stratum *within = r->stratum ? &r->stratum[s->stratum] : NULL;
        double q = s->booked_ns / in->booked_ns, scale = in->user.ns / in->booked_ns,
               booked = within ? within->booked_ns : in->booked_ns,
               squares = within ? within->squares_ns2 : in->squares_ns2,
               own = square(booked * scale) * share_variance(s->booked_ns, s->squares_ns2, booked, squares);
        of->user_ns += in->user.ns * q;
        of->clocks += within ? square(s->booked_ns * scale) * within->variance : 0;
        s->to->ns += in->user.ns * q;
        s->to->variance += square(q) * in->user.variance;
        if (within && s->booked_ns >= within->booked_ns)
            of->whole = fmax(of->whole, own / r->widened);
        else
            of->own += own;
        of->common += r->user.ns > 0 ? q * in->user.ns / r->user.ns * r->settled_user : 0;
    }
    strata_add(r, sum, count);
    sums_agree(r, sum, count);
    threads_bound(r);
    map_free(&rows);
    free(sum);
    map_free(&r->known);
    free(r->share);
    free(r->stratum);
    free(r->region);
    r->stratum = NULL;
    r->share = NULL;
    r->region = NULL;
    r->share_count = 0;
}
