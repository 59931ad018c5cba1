/* SPDX-License-Identifier: MIT */
/* assess.c: see assess.h. Which changes are told: discoveries at false discovery rate q among stages, and among
 * functions with their lines. A function counts as changed by the least probable of it and its lines (Simes 1986); in
 * those that are, lines are tested at a rate that allows for the choice (Benjamini and Bogomolov 2014). */
#include "difference/assess.h"

#include <math.h>
#include <stdlib.h>

#include "difference/student.h"

#define STEADY_HITS 0.001 /* of a control: hits of threads may vary a little */
#define POWER_T 0.8416    /* one-sided quantile: found in 4 of 5 */
#define LOG_MOST 20       /* with two or three runs a ratio may lie anywhere: it stays a number */
enum { CONTROLS_OF_LINES = 20 };

struct assessing {
    struct difference *d;
    const struct assess_pair *pair;
    bool *control;
    double *factor; /* CPU's, by run */
    double *probability;
    bool *found;
    bool *is_new;
    size_t *run_of; /* number of each run among those of its program */
    size_t tests;
};

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
    enum difference_kind kind = count[DIFFERENCE_LINE] >= CONTROLS_OF_LINES       ? DIFFERENCE_LINE
                                : count[DIFFERENCE_FUNCTION] >= CONTROLS_OF_LINES ? DIFFERENCE_FUNCTION
                                : count[DIFFERENCE_LINE] >= INFERENCE_CONTROLS_LEAST ? DIFFERENCE_LINE
                                                                                    : DIFFERENCE_FUNCTION;
    for (size_t i = 0; i < d->site_count; i++)
        a->control[i] = d->site[i].is_control &= d->site[i].kind == kind;
    free(changed);
}

/* ---- times ---- */

/* How many hits a run's time is divided by: 1 where hits are not known. */
static double exposure(const struct difference_site *s, const struct observed *o)
{
    return s->count[COUNTER_HITS].known ? (double)o->count[COUNTER_HITS] : 1;
}

static bool clock_known(const struct assessing *a, size_t site, enum difference_clock clock)
{
    for (int arm = 0; arm < ARMS; arm++)
        for (size_t r = 0; r < a->d->runs[arm]; r++) {
            const struct observed *o = observed_at(a->pair[site].side[arm], r);
            if (o && !o->timed[clock])
                return false;
        }
    return true;
}

static void measured_fill(const struct assessing *a, enum difference_clock clock, struct measured *measured)
{
    struct difference *d = a->d;
    for (size_t i = 0; i < d->site_count; i++) {
        struct difference_site *s = &d->site[i];
        struct difference_time *t = &s->time[clock];
        bool known = clock_known(a, i, clock);
        for (size_t r = 0; r < d->run_count; r++) {
            const struct observed *o = observed_at(a->pair[i].side[d->run[r].arm], a->run_of[r]);
            struct measured *m = &measured[i * d->run_count + r];
            if (!o || !known)
                continue;
            t->ns[d->run[r].arm] += o->ns[clock] / (double)d->runs[d->run[r].arm];
            double scale = clock == CLOCK_WALL ? a->factor[r] : 1;
            *m = (struct measured){ o->ns[clock] / scale, o->variance[clock] / scale / scale, exposure(s, o),
                                    (double)o->samples };
        }
        t->known = known && (t->ns[ARM_OLD] > 0 || t->ns[ARM_NEW] > 0);
    }
}

/* Times that are a small part of the run are not tested: their changes are not worth a word. */
static bool worth_testing(const struct assessing *a, const struct difference_time *t, enum difference_clock clock)
{
    static const double worth[CLOCKS] = { 0.001, 0.01, 0.005 };
    double run[ARMS] = { 0, 0 };
    for (size_t r = 0; r < a->d->run_count; r++) {
        const struct difference_run *from = &a->d->run[r];
        run[from->arm] += (double)(clock == CLOCK_CPU ? from->cpu_ns : from->wall_ns) / (double)a->d->runs[from->arm];
    }
    return t->ns[ARM_OLD] >= worth[clock] * run[ARM_OLD] || t->ns[ARM_NEW] >= worth[clock] * run[ARM_NEW];
}

double crowding_change(const struct difference *d)
{
    double mean[ARMS] = { 0, 0 };
    for (size_t r = 0; r < d->run_count; r++)
        mean[d->run[r].arm] += log(d->run[r].crowding) / (double)d->runs[d->run[r].arm];
    return mean[ARM_NEW] - mean[ARM_OLD];
}

/* A site may have waited for a CPU as much as the run, or not at all: what lies between is no change of the program. */
static void crowding_allow(struct difference_time *t, double crowding)
{
    double part = fmax(fmin(t->change, fmax(crowding, 0)), fmin(crowding, 0));
    if (part == 0)
        return;
    t->change -= part;
    t->probability = student_tails(t->change / t->error, t->freedom);
}

static void clock_assess(struct assessing *a, enum difference_clock clock)
{
    struct difference *d = a->d;
    struct measured *measured = memory_zeroed(d->site_count * d->run_count + 1, sizeof *measured);
    struct contrast *contrast = memory_zeroed(d->site_count + 1, sizeof *contrast);
    double *factor = memory_zeroed(d->run_count + 1, sizeof *factor);
    measured_fill(a, clock, measured);
    struct inference in = { .runs = d->run_count, .sites = d->site_count, .is_new = a->is_new, .measured = measured,
                            .control = a->control, .contrast = contrast, .factor = factor };
    inference_make(&in);
    double crowding = crowding_change(d);
    for (size_t i = 0; i < d->site_count; i++) {
        struct difference_time *t = &d->site[i].time[clock];
        const struct contrast *c = &contrast[i];
        t->tested = c->tested && t->known && worth_testing(a, t, clock);
        if (!t->tested)
            continue;
        t->change = c->change;
        t->error = c->error;
        t->freedom = c->freedom;
        t->probability = c->probability;
        t->least = c->fixed; /* until intervals_find */
        if (clock != CLOCK_CPU)
            crowding_allow(t, crowding);
    }
    if (clock == CLOCK_CPU) {
        for (size_t r = 0; r < d->run_count; r++)
            d->run[r].factor = a->factor[r] = factor[r];
        d->factor_known = in.factor_known;
        d->factor = exp(in.shift);
        d->factor_error = in.shift_error * d->factor;
        d->control_count = in.controls;
        d->scatter = in.scatter;
        d->run_scatter = in.run_scatter;
    }
    free(factor);
    free(contrast);
    free(measured);
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

static int number_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double simes(double *p, size_t count)
{
    double least = 1;
    qsort(p, count, sizeof *p, number_order);
    for (size_t i = 0; i < count; i++)
        least = fmin(least, p[i] * (double)count / (double)(i + 1));
    return least;
}

struct family {
    uint32_t *site; /* of the group, or the stages */
    double *p;
    bool *found;
    size_t count;
};

static void family_open(struct family *f, size_t most)
{
    f->site = memory_zeroed(most + 1, sizeof *f->site);
    f->p = memory_zeroed(most + 1, sizeof *f->p);
    f->found = memory_zeroed(most + 1, sizeof *f->found);
    f->count = 0;
}
static void family_close(struct family *f)
{
    free(f->site);
    free(f->p);
    free(f->found);
}

static void stages_discover(struct assessing *a, double q)
{
    struct family f;
    family_open(&f, a->d->site_count);
    for (size_t i = 0; i < a->d->site_count; i++)
        if (a->d->site[i].kind == DIFFERENCE_STAGE && !isnan(a->probability[i])) {
            f.site[f.count] = (uint32_t)i;
            f.p[f.count++] = a->probability[i];
        }
    discoveries_mark(f.found, f.p, f.count, q);
    for (size_t i = 0; i < f.count; i++)
        a->found[f.site[i]] = f.found[i];
    family_close(&f);
}

/* A function and its lines are a group; so is a line without a function. Groups by the site that leads them. */
static uint32_t leader_of(const struct difference *d, size_t i)
{
    return d->site[i].kind == DIFFERENCE_LINE && d->site[i].parent != DIFFERENCE_NONE ? d->site[i].parent : (uint32_t)i;
}

static size_t group_list(const struct assessing *a, uint32_t leader, const uint32_t *member, const size_t *first,
                         struct family *f)
{
    f->count = 0;
    for (size_t k = first[leader]; k < first[leader + 1]; k++)
        if (!isnan(a->probability[member[k]])) {
            f->site[f->count] = member[k];
            f->p[f->count++] = a->probability[member[k]];
        }
    return f->count;
}

static void functions_discover(struct assessing *a, double q)
{
    struct difference *d = a->d;
    struct family groups, own;
    size_t *first = memory_zeroed(d->site_count + 2, sizeof *first), *fill;
    uint32_t *member = memory_zeroed(d->site_count + 1, sizeof *member);
    family_open(&groups, d->site_count);
    family_open(&own, d->site_count);
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind != DIFFERENCE_STAGE)
            first[leader_of(d, i) + 1]++;
    for (size_t i = 0; i < d->site_count; i++)
        first[i + 1] += first[i];
    fill = memory_zeroed(d->site_count + 1, sizeof *fill);
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind != DIFFERENCE_STAGE) {
            uint32_t leader = leader_of(d, i);
            member[first[leader] + fill[leader]++] = (uint32_t)i;
        }
    for (uint32_t leader = 0; leader < d->site_count; leader++)
        if (group_list(a, leader, member, first, &own)) {
            groups.site[groups.count] = leader;
            groups.p[groups.count++] = simes(own.p, own.count);
        }
    size_t chosen = discoveries_mark(groups.found, groups.p, groups.count, q);
    for (size_t g = 0; g < groups.count; g++) {
        if (!groups.found[g])
            continue;
        group_list(a, groups.site[g], member, first, &own);
        discoveries_mark(own.found, own.p, own.count, q * (double)chosen / (double)groups.count);
        for (size_t k = 0; k < own.count; k++)
            a->found[own.site[k]] = own.found[k];
    }
    a->tests = groups.count ? groups.count : 1;
    family_close(&own);
    family_close(&groups);
    free(fill);
    free(member);
    free(first);
}

/* ---- what is said of each ---- */

static void intervals_find(struct assessing *a, struct difference_site *s)
{
    const struct difference_limits *l = &a->d->limits;
    double runs = (double)a->d->run_count / 2, wanted = log1p(l->least_effect);
    for (int clock = 0; clock < CLOCKS; clock++) {
        struct difference_time *t = &s->time[clock];
        if (!t->tested)
            continue;
        double fixed = t->least, reach = fmin(student_t(l->q, t->freedom) * t->error, LOG_MOST);
        double limit = student_t(l->q / (double)a->tests, t->freedom) + POWER_T;
        double room = wanted * wanted / (limit * limit) - fixed, vary = t->error * t->error - fixed;
        t->low = exp(t->change - reach);
        t->high = exp(t->change + reach);
        t->least = exp(fmin(limit * t->error, LOG_MOST));
        t->runs_needed = room > 0 && vary > 0 ? ceil(runs * vary / room) : 0;
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

static enum difference_cause cause_find(const struct assessing *a, size_t i)
{
    const struct difference_site *s = &a->d->site[i];
    const struct difference_time *t = &s->time[s->clock], *cpu = &s->time[CLOCK_CPU], *wait = &s->time[CLOCK_WAIT];
    if (fabs(hits_change(s)) > fabs(t->change))
        return CAUSE_HITS;
    if (s->clock == CLOCK_WAIT)
        return CAUSE_WAIT;
    double waited = wait->ns[ARM_NEW] - wait->ns[ARM_OLD];
    if (s->clock == CLOCK_WALL && waited / (t->ns[ARM_NEW] - t->ns[ARM_OLD]) > 0.5)
        return CAUSE_WAIT;
    if (s->kind == DIFFERENCE_FUNCTION && s->clock == CLOCK_CPU && hits_part(a, i) > 0.5)
        return CAUSE_HITS;
    double kernel = s->kernel_ns[ARM_NEW] / a->d->factor - s->kernel_ns[ARM_OLD];
    double change = cpu->ns[ARM_NEW] / a->d->factor - cpu->ns[ARM_OLD];
    return change != 0 && kernel / change > 0.5 ? CAUSE_KERNEL : CAUSE_COST;
}

static enum difference_verdict verdict_find(struct assessing *a, size_t i)
{
    struct difference *d = a->d;
    struct difference_site *s = &d->site[i];
    struct difference_time *t = &s->time[s->clock];
    double least = log1p(d->limits.least_effect), hits = hits_change(s);
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
    struct assessing a = { .d = d, .pair = pair, .tests = 1 };
    size_t runs[ARMS] = { 0, 0 };
    bool stages = false;
    a.control = memory_zeroed(d->site_count + 1, sizeof *a.control);
    a.factor = memory_zeroed(d->run_count + 1, sizeof *a.factor);
    a.is_new = memory_zeroed(d->run_count + 1, sizeof *a.is_new);
    a.run_of = memory_zeroed(d->run_count + 1, sizeof *a.run_of);
    a.probability = memory_zeroed(d->site_count + 1, sizeof *a.probability);
    a.found = memory_zeroed(d->site_count + 1, sizeof *a.found);
    for (size_t r = 0; r < d->run_count; r++) {
        a.is_new[r] = d->run[r].arm == ARM_NEW;
        a.run_of[r] = runs[d->run[r].arm]++;
    }
    controls_choose(&a, controls);
    for (int clock = 0; clock < CLOCKS; clock++)
        clock_assess(&a, (enum difference_clock)clock);
    for (size_t i = 0; i < d->site_count; i++) {
        a.probability[i] = site_probability(&d->site[i]);
        stages |= d->site[i].kind == DIFFERENCE_STAGE;
    }
    stages_discover(&a, d->limits.q / 2);
    functions_discover(&a, stages ? d->limits.q / 2 : d->limits.q);
    for (size_t i = 0; i < d->site_count; i++)
        intervals_find(&a, &d->site[i]);
    for (size_t i = 0; i < d->site_count; i++)
        d->site[i].verdict = verdict_find(&a, i);
    free(a.found);
    free(a.probability);
    free(a.run_of);
    free(a.is_new);
    free(a.factor);
    free(a.control);
}
