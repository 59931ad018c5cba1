/* SPDX-License-Identifier: MIT */
/* assess.c: see assess.h. What is unchanged, and what is said of each site; clocks.c and discover.c are between. */
#include "difference/assessing.h"

#include <math.h>
#include <stdlib.h>

#include "difference/student.h"

#define STEADY_HITS 0.001 /* of a control: hits of threads may vary a little */
#define SURE_T 1.6449     /* one-sided quantile: found in 19 of 20 */
#define WORTH_SEEING 0.1  /* of the CPU time: what can be seen is told of functions with as much */
#define SURELY (5.0 / 6)  /* of the least effect: if it were exactly that large, half of all measurements are less */
#define LOG_MOST 20       /* with two or three runs a ratio may lie anywhere: it stays a number */
#define KERNEL_SIGMAS 2
enum { CONTROLS_OF_LINES = 20 };

/* A function and its lines are a group; so is a line without a function. Groups by the site that leads them. */
static uint32_t leader_of(const struct difference *d, size_t i)
{
    return d->site[i].kind == DIFFERENCE_LINE && d->site[i].parent != DIFFERENCE_NONE ? d->site[i].parent : (uint32_t)i;
}

/* Whether the runs of both were made at about the same time: by the mean of their ranks, which differ by half of all
 * where one program ran after the other. */
static bool ran_in_turn(const struct difference *d)
{
    double rank[ARMS] = { 0, 0 }, half = (double)d->run_count / 2;
    for (size_t r = 0; r < d->run_count; r++)
        for (size_t k = 0; k < d->run_count; k++)
            rank[d->run[r].arm] += d->run[k].start_realtime_ns < d->run[r].start_realtime_ns;
    double apart = rank[ARM_NEW] / (double)d->runs[ARM_NEW] - rank[ARM_OLD] / (double)d->runs[ARM_OLD];
    return rank[ARM_OLD] + rank[ARM_NEW] > 0 && fabs(apart) < half / 2;
}

/* ---- what is unchanged ---- */

static bool counts_same(const struct difference_site *s)
{
    for (int i = 0; i < COUNTERS; i++) {
        const struct difference_count *c = &s->count[i];
        uint64_t low = c->low[ARM_OLD] < c->low[ARM_NEW] ? c->low[ARM_OLD] : c->low[ARM_NEW],
                 high = c->high[ARM_OLD] > c->high[ARM_NEW] ? c->high[ARM_OLD] : c->high[ARM_NEW];
        if (c->known && (c->changed || (double)(high - low) > STEADY_HITS * (double)high))
            return false;
    }
    return true;
}

/* Sites whose code and counts are unchanged. A function's or a stage's are also those of its lines and of what is in
 * it. Of kinds that measure the same time several times, the finest that suffices. */
static void controls_choose(struct assessing *a, bool allowed)
{
    struct difference *d = a->d;
    bool *changed = memory_zeroed(d->site_count + 1, sizeof *changed), any_code = false;
    size_t count[DIFFERENCE_KINDS] = { 0 };
    for (size_t i = d->site_count; i-- > 0;) {
        struct difference_site *s = &d->site[i];
        any_code |= s->kind == DIFFERENCE_FUNCTION && s->code_known && !s->code_same;
        changed[i] |= !counts_same(s);
        if (changed[i] && s->parent != DIFFERENCE_NONE && s->kind != DIFFERENCE_STAGE)
            changed[s->parent] = true;
        bool code = s->kind == DIFFERENCE_STAGE ? !any_code : s->code_same;
        bool tested = s->samples[ARM_OLD] >= 25 && s->samples[ARM_NEW] >= 25;
        s->is_control = allowed && !changed[i] && code;
        count[s->kind] += s->is_control && tested;
    }
    enum difference_kind kind = count[DIFFERENCE_LINE] >= CONTROLS_OF_LINES          ? DIFFERENCE_LINE
                                : count[DIFFERENCE_FUNCTION] >= CONTROLS_OF_LINES    ? DIFFERENCE_FUNCTION
                                : count[DIFFERENCE_LINE] >= INFERENCE_CONTROLS_LEAST ? DIFFERENCE_LINE
                                                                                     : DIFFERENCE_FUNCTION;
    for (size_t i = 0; i < d->site_count; i++)
        a->control[i] = d->site[i].is_control &= d->site[i].kind == kind;
    free(changed);
}

/* ---- which changes are told ---- */

/* Logarithm of new by old of the hits; 0 where they are not known or not steady. */
static double hits_change(const struct difference_site *s)
{
    const struct difference_count *c = &s->count[COUNTER_HITS];
    double old = ((double)c->low[ARM_OLD] + (double)c->high[ARM_OLD]) / 2,
           new = ((double)c->low[ARM_NEW] + (double)c->high[ARM_NEW]) / 2;
    return c->known && c->changed && old > 0 && new > 0 ? log(new / old) : 0;
}

/* Of a change of the time of a run: of the costs a hit, and of the hits. */
static double total_probability(const struct difference_site *s, const struct difference_time *t)
{
    double hits = hits_change(s);
    return hits == 0 ? t->probability : student_tails((t->change + hits) / t->error, t->freedom);
}

static double site_probability(struct difference_site *s)
{
    double least = 1;
    int tests = 0;
    for (int clock = 0; clock < CLOCKS; clock++) {
        const struct difference_time *t = &s->time[clock];
        double p = t->tested ? total_probability(s, t) : 1;
        tests += t->tested;
        if (p < least || (t->tested && tests == 1)) {
            least = p;
            s->clock = (enum difference_clock)clock;
        }
    }
    return tests ? fmin(least * tests, 1) : NAN;
}

/* ---- what is said of each ---- */

static void intervals_find(struct assessing *a, struct difference_site *s)
{
    const struct difference_limits *l = &a->d->limits;
    size_t site = (size_t)(s - a->d->site);
    for (int clock = 0; clock < CLOCKS; clock++) {
        struct difference_time *t = &s->time[clock];
        if (!t->tested)
            continue;
        double reach = fmin(student_t(l->q, t->freedom) * t->error, LOG_MOST);
        struct difference_power power = power_of(a, site, (enum difference_clock)clock);
        double runs = power_runs(&power, l->least_effect);
        t->low = exp(t->change - reach);
        t->high = exp(t->change + reach);
        t->least = power_least(&power);
        t->runs_needed = isinf(runs) ? 0 : runs;
    }
}

/* How small a change of a function with a tenth of the time is seen: of the one where it is hardest. */
static void seen_find(struct assessing *a)
{
    struct difference *d = a->d;
    double most = 0;
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind == DIFFERENCE_FUNCTION && d->site[i].time[CLOCK_CPU].tested)
            most = fmax(most, d->site[i].share[ARM_OLD]);
    for (size_t i = 0; i < d->site_count; i++) {
        const struct difference_site *s = &d->site[i];
        const struct difference_time *t = &s->time[CLOCK_CPU];
        if (s->kind != DIFFERENCE_FUNCTION || !t->tested || s->share[ARM_OLD] < fmin(most, WORTH_SEEING))
            continue;
        struct difference_power power = power_of(a, i, CLOCK_CPU);
        power.sureness = SURE_T;
        double ratio = power_least(&power);
        if (ratio <= d->seen_least)
            continue;
        d->seen_least = ratio;
        d->seen = power;
    }
}

/* What part of the change of a function's own time its lines explain by being hit more often. They follow functions. */
static double hits_part(const struct assessing *a, size_t function)
{
    const struct difference *d = a->d;
    const struct difference_time *t = &d->site[function].time[CLOCK_CPU];
    double more = 0;
    for (size_t i = function + 1; i < d->site_count; i++)
        if (d->site[i].kind == DIFFERENCE_LINE && d->site[i].parent == function)
            more += d->site[i].time[CLOCK_CPU].ns[ARM_OLD] * expm1(hits_change(&d->site[i]));
    double change = t->ns[ARM_NEW] / d->factor - t->ns[ARM_OLD];
    return change != 0 ? more / change : 0;
}

/* Whether more than half of the change is the kernel's: if its time changed at all, by two sigma of how runs differ. */
static bool kernel_explains(const struct assessing *a, size_t i, const struct difference_time *t)
{
    const struct difference *d = a->d;
    const struct difference_site *s = &d->site[i];
    double variance = 0, kernel = s->kernel_ns[ARM_NEW] / d->factor - s->kernel_ns[ARM_OLD],
           change = t->ns[ARM_NEW] / d->factor - t->ns[ARM_OLD];
    for (size_t r = 0; r < d->run_count; r++) {
        enum difference_arm arm = d->run[r].arm;
        const struct observed *o = observed_at(a->pair[i].side[arm], a->run_of[r]);
        double runs = (double)d->runs[arm], off = (o ? o->kernel_ns : 0) - s->kernel_ns[arm];
        variance += runs > 1 ? off * off / runs / (runs - 1) : 0;
    }
    return change != 0 && kernel / change > 0.5 && fabs(kernel) > KERNEL_SIGMAS * sqrt(variance);
}

static enum difference_cause cause_find(const struct assessing *a, size_t i)
{
    const struct difference_site *s = &a->d->site[i];
    const struct difference_time *t = &s->time[s->clock], *wait = &s->time[CLOCK_WAIT];
    if (fabs(hits_change(s)) > fabs(t->change))
        return CAUSE_HITS;
    if (s->clock == CLOCK_WAIT)
        return CAUSE_WAIT;
    if (a->by_part[s->clock][i] && !(s->kind == DIFFERENCE_FUNCTION && hits_part(a, i) > 0.5))
        return CAUSE_COST;
    double waited = wait->ns[ARM_NEW] - wait->ns[ARM_OLD];
    if (s->clock == CLOCK_WALL && waited / (t->ns[ARM_NEW] - t->ns[ARM_OLD]) > 0.5)
        return CAUSE_WAIT;
    if (s->kind == DIFFERENCE_FUNCTION && s->clock == CLOCK_CPU && hits_part(a, i) > 0.5)
        return CAUSE_HITS;
    return kernel_explains(a, i, t) ? CAUSE_KERNEL : CAUSE_COST;
}

static enum difference_verdict verdict_find(struct assessing *a, size_t i)
{
    struct difference *d = a->d;
    struct difference_site *s = &d->site[i];
    struct difference_time *t = &s->time[s->clock];
    double least = SURELY * log1p(d->limits.least_effect), hits = hits_change(s);
    if (isnan(a->probability[i]))
        return VERDICT_NOT_TESTED;
    s->ratio = exp(t->change + hits);
    double low = log(t->low) + hits, high = log(t->high) + hits;
    bool judged = d->runs[ARM_OLD] > 1 && d->runs[ARM_NEW] > 1 && !d->stage[ARM_OLD];
    bool beyond = low < -least || high > least;
    if (a->found[i] && judged && beyond && (low > 0 || high < 0)) {
        t->found = true;
        s->cause = cause_find(a, i);
        return s->ratio > 1 ? VERDICT_SLOWER : VERDICT_FASTER;
    }
    if (judged && !beyond)
        return VERDICT_SAME;
    /* of what is not known, the time that is known best */
    for (int clock = 0; clock < CLOCKS; clock++)
        if (s->time[clock].tested && s->time[clock].error < s->time[s->clock].error)
            s->clock = (enum difference_clock)clock;
    s->ratio = exp(s->time[s->clock].change + hits);
    return VERDICT_UNCLEAR;
}

void times_assess(struct difference *d, const struct assess_pair *pair, bool controls)
{
    struct assessing a = { .d = d, .pair = pair };
    size_t runs[ARMS] = { 0, 0 };
    bool stages = false;
    a.control = memory_zeroed(d->site_count + 1, sizeof *a.control);
    a.factor = memory_zeroed(d->run_count + 1, sizeof *a.factor);
    a.is_new = memory_zeroed(d->run_count + 1, sizeof *a.is_new);
    a.run_of = memory_zeroed(d->run_count + 1, sizeof *a.run_of);
    a.probability = memory_zeroed(d->site_count + 1, sizeof *a.probability);
    a.found = memory_zeroed(d->site_count + 1, sizeof *a.found);
    for (int clock = 0; clock < CLOCKS; clock++) {
        a.by_part[clock] = memory_zeroed(d->site_count + 1, sizeof(bool));
        a.part[clock] = memory_zeroed(d->site_count + 1, sizeof(double));
        for (size_t i = 0; i < d->site_count; i++)
            a.part[clock][i] = 1;
    }
    a.rate = memory_zeroed(d->site_count + 1, sizeof *a.rate);
    a.group = memory_zeroed(d->site_count + 1, sizeof *a.group);
    for (size_t i = 0; i < d->site_count; i++)
        a.group[i] = leader_of(d, i);
    for (size_t r = 0; r < d->run_count; r++) {
        a.is_new[r] = d->run[r].arm == ARM_NEW;
        a.run_of[r] = runs[d->run[r].arm]++;
    }
    controls_choose(&a, controls);
    a.in_turn = ran_in_turn(d);
    clocks_assess(&a);
    for (size_t i = 0; i < d->site_count; i++) {
        a.probability[i] = site_probability(&d->site[i]);
        stages |= d->site[i].kind == DIFFERENCE_STAGE;
    }
    stages_discover(&a, d->limits.q / 2);
    functions_discover(&a, stages ? d->limits.q / 2 : d->limits.q);
    if (d->runs[ARM_OLD] > 1 && d->runs[ARM_NEW] > 1 && !d->stage[ARM_OLD])
        seen_find(&a);
    for (size_t i = 0; i < d->site_count; i++)
        intervals_find(&a, &d->site[i]);
    for (size_t i = 0; i < d->site_count; i++)
        d->site[i].verdict = verdict_find(&a, i);
    free(a.group);
    free(a.rate);
    for (int clock = 0; clock < CLOCKS; clock++) {
        free(a.by_part[clock]);
        free(a.part[clock]);
    }
    free(a.found);
    free(a.probability);
    free(a.run_of);
    free(a.is_new);
    free(a.factor);
    free(a.control);
}
