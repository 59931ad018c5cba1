/* SPDX-License-Identifier: MIT */
/* clocks.c: what each clock says of each site. CPU time is judged by samples outside the kernel, which have no error of
 * the run's clocks, and with the kernel's part. Elapsed time by typical entries, and by all. */
#include "difference/assessing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "difference/student.h"

#define REST_LEAST 0.02    /* of a time: less is not asked for */
#define BUCKET_ERROR 0.005 /* of the ratio of two times that are each within a bucket */
#define BRIEF_NS 1e6

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

/* What a run's time is judged by: CPU time outside the kernel, by samples; elapsed time by the typical entry; or all.
 */
static struct measured measured_of(const struct difference_site *s, const struct observed *o,
                                   enum difference_clock clock, bool part)
{
    if (part && clock == CLOCK_WALL)
        return (struct measured){ o->typical_ns, 0, exposure(s, o), 0 };
    return part ? (struct measured){ o->user.ns, o->user.variance, exposure(s, o), (double)o->samples }
                : (struct measured){ o->ns[clock], o->variance[clock], exposure(s, o), (double)o->samples };
}

static void measured_fill(const struct assessing *a, enum difference_clock clock, bool part, struct measured *measured)
{
    struct difference *d = a->d;
    for (size_t i = 0; i < d->site_count; i++) {
        bool known =
            clock_known(a, i, clock) && !(part && (d->site[i].kind == DIFFERENCE_STAGE) != (clock == CLOCK_WALL));
        for (size_t r = 0; r < d->run_count; r++) {
            const struct observed *o = observed_at(a->pair[i].side[d->run[r].arm], a->run_of[r]);
            measured[i * d->run_count + r] =
                o && known ? measured_of(&d->site[i], o, clock, part) : (struct measured){ 0 };
        }
    }
}

static void times_fill(const struct assessing *a, enum difference_clock clock)
{
    struct difference *d = a->d;
    for (size_t i = 0; i < d->site_count; i++) {
        struct difference_time *t = &d->site[i].time[clock];
        bool known = clock_known(a, i, clock);
        for (size_t r = 0; r < d->run_count && known; r++) {
            const struct observed *o = observed_at(a->pair[i].side[d->run[r].arm], a->run_of[r]);
            t->ns[d->run[r].arm] += o ? o->ns[clock] / (double)d->runs[d->run[r].arm] : 0;
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

/* What part of a site's CPU time was in the kernel, in all runs. */
static double kernel_part(const struct difference *d, const struct difference_site *s)
{
    double kernel = 0, cpu = 0;
    for (int arm = 0; arm < ARMS; arm++) {
        kernel += s->kernel_ns[arm] * (double)d->runs[arm];
        cpu += s->time[CLOCK_CPU].ns[arm] * (double)d->runs[arm];
    }
    return cpu > 0 ? fmax(0, fmin(1, kernel / cpu)) : 0;
}

/* The probability of a part of the time and that of all count as `rest` says, what is not in the part. *counts is what
 * the one has that was taken. */
static struct contrast parts_join(const struct contrast *part, const struct contrast *all, double rest, bool *by_part,
                                  double *counts)
{
    *by_part = part->tested && (!all->tested || rest < REST_LEAST);
    *counts = 1;
    if (*by_part || !part->tested)
        return *by_part ? *part : *all;
    double of_part = part->probability / (1 - rest), of_all = all->probability / rest;
    *by_part = fmin(of_part, of_all) < 1 ? of_part <= of_all : part->error < all->error;
    struct contrast joined = *by_part ? *part : *all;
    *counts = *by_part ? 1 - rest : rest;
    joined.probability = fmin(1, fmin(of_part, of_all));
    return joined;
}

/* Entries are known by buckets, whose width is at most 1.6 %. */
static void typical_widen(struct contrast *c)
{
    if (!c->tested)
        return;
    c->fixed += BUCKET_ERROR * BUCKET_ERROR;
    c->error = hypot(c->error, BUCKET_ERROR);
    c->probability = student_tails(c->change / c->error, c->freedom);
}

static void parts_assess(struct assessing *a, struct inference *in, struct measured *measured, struct contrast *part,
                         enum difference_clock clock)
{
    struct difference *d = a->d;
    struct contrast *all = in->contrast;
    if (clock == CLOCK_WALL) {
        measured_fill(a, clock, true, measured);
        in->contrast = part;
        inference_make(in);
        in->contrast = all;
    }
    for (size_t i = 0; i < d->site_count; i++) {
        struct difference_site *s = &d->site[i];
        if (clock == CLOCK_WALL)
            typical_widen(&part[i]);
        all[i] = parts_join(&part[i], &all[i], clock == CLOCK_CPU ? kernel_part(d, s) : 0.5, &a->by_part[clock][i],
                            &a->part[clock][i]);
        for (size_t r = 0; clock == CLOCK_WALL && a->by_part[clock][i] && r < d->run_count; r++) {
            const struct observed *o = observed_at(a->pair[i].side[d->run[r].arm], a->run_of[r]);
            double runs = (double)d->runs[d->run[r].arm];
            s->time[clock].ns[d->run[r].arm] += o ? (o->typical_ns - o->ns[clock]) / runs : 0;
        }
    }
}

static void machine_set(struct difference *d, const struct inference *in)
{
    for (size_t r = 0; r < d->run_count; r++)
        d->run[r].factor = in->factor[r];
    d->factor_known = in->factor_known;
    d->factor = exp(in->shift);
    d->factor_error = in->shift_error * d->factor;
    d->control_count = in->controls;
    d->scatter = in->scatter;
    d->run_scatter = in->run_scatter;
}

/* Elapsed time of an entry, of the program where that is longer. */
static double entry_ns(const struct assessing *a, size_t site)
{
    const struct difference_site *s = &a->d->site[site];
    const struct difference_count *c = &s->count[COUNTER_HITS];
    double entry = 0;
    for (int arm = 0; arm < ARMS; arm++)
        entry = fmax(entry, c->low[arm] ? s->time[CLOCK_WALL].ns[arm] / (double)c->low[arm] : INFINITY);
    return entry;
}

static void contrasts_take(struct assessing *a, enum difference_clock clock, const struct contrast *contrast)
{
    struct difference *d = a->d;
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
        t->fixed = c->fixed;
        t->own_freedom = c->own_freedom;
        /* few entries that are so short lose their CPU */
        bool brief = a->by_part[clock][i] && entry_ns(a, i) < BRIEF_NS;
        if (clock != CLOCK_CPU && !brief)
            crowding_allow(t, crowding);
    }
}

/* CPU times: by samples first, which tell the machine's factors, then with the kernel's part. Elapsed times follow the
 * same factors as far as they do. Waits have their own. */
void clocks_assess(struct assessing *a)
{
    struct difference *d = a->d;
    struct measured *measured = memory_zeroed(d->site_count * d->run_count + 1, sizeof *measured);
    struct contrast *contrast = memory_zeroed(2 * d->site_count + 1, sizeof *contrast),
                    *part = contrast + d->site_count;
    struct inference in = { .runs = d->run_count,
                            .sites = d->site_count,
                            .is_new = a->is_new,
                            .measured = measured,
                            .control = a->control,
                            .group = a->group,
                            .in_turn = a->in_turn,
                            .contrast = part,
                            .factor = a->factor };
    bool sampled = false;
    measured_fill(a, CLOCK_CPU, true, measured);
    for (size_t i = 0; i < d->site_count * d->run_count; i++)
        sampled |= measured[i].ns > 0;
    if (sampled)
        inference_make(&in);
    struct inference machine = in;
    for (int clock = 0; clock < CLOCKS; clock++) {
        in = machine;
        in.given = sampled && clock != CLOCK_WAIT;
        in.contrast = contrast;
        double *factor = in.factor = memory_zeroed(d->run_count + 1, sizeof *factor);
        memcpy(factor, a->factor, d->run_count * sizeof *factor);
        measured_fill(a, (enum difference_clock)clock, false, measured);
        times_fill(a, (enum difference_clock)clock);
        inference_make(&in);
        if (clock == CLOCK_CPU) {
            machine = sampled ? machine : in;
            machine_set(d, &machine);
        }
        if (clock != CLOCK_WAIT)
            parts_assess(a, &in, measured, part, (enum difference_clock)clock);
        contrasts_take(a, (enum difference_clock)clock, contrast);
        free(factor);
    }
    free(contrast);
    free(measured);
}
