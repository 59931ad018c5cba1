/* SPDX-License-Identifier: MIT */
/* drift.c: see drift.h.
 *
 * The logarithm of a site's cost in a run is its mean, and a part of the run's factor that is the site's own, and
 * noise. That part is 1 unless the runs of one program tell otherwise (a slope with the normal prior of all sites; of a
 * site's own group, nothing is in the factor that its slope is found by). */
#include "difference/drift.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "difference/weighted.h"
#include "store/arena.h"

#define SAMPLED_LEAST 0.25  /* square of the part that samples found */
#define FOLLOWS_LEAST 0.3   /* sites that follow less of the factor tell little of it */
#define FOLLOWS_SPREAD 0.25 /* variance of what sites follow, where the runs do not tell */
#define FOLLOWS_SPREAD_LEAST 0.04
#define FOLLOWS_SPREAD_MOST 1
#define OTHERS_LEAST 0.1   /* of the weights: so much of the factor must be known without the site's own group */
#define SHARE_LEAST 0.1    /* of the common variance: code that computes varies a little, too */
enum { FOLLOWS_RUNS = 4 }; /* fewer do not tell what a site follows and how it varies */
enum { RUNS_FOR_CUT = 8 }; /* for each run that is cut off at either end */
#define CLIP 3             /* standard deviations beyond which a site's run is taken for that far off */
#define FREEDOM_OF_ALL 4   /* a site's variance, for its slope: that of all counts as so many degrees of freedom */

static double square(double x) { return x * x; }

static double factor_of(const struct inference *in, const struct site_state *st, size_t run)
{
    return exp(st->follows * log(in->factor[run]));
}

/* Logarithm of a run's ns a hit, of what was not sampled. A time of nothing counts as a hundredth of the mean. */
static double log_cost(const struct inference *in, const struct site_state *st, size_t site, size_t run)
{
    const struct measured *m = &in->measured[site * in->runs + run];
    return log(fmax(m->ns / (factor_of(in, st, run) * m->hits), 0.01 * st->pooled));
}

static int number_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The typical run's, where times are exact: of sums, a single run of a busy machine would be most. Of eight runs and
 * more, the outermost count as those next to them (Yuen, Biometrika 61, 1974). */
static void typical_find(const struct inference *in, struct site_state *st, size_t site)
{
    double *cost = memory_zeroed(in->runs + 1, sizeof *cost);
    for (unsigned arm = 0; arm < 2; arm++) {
        size_t n = 0, cut = st->cut[arm] = st->runs[arm] / RUNS_FOR_CUT;
        double sum = 0;
        for (size_t r = 0; r < in->runs; r++)
            if (in->is_new[r] == arm && in->measured[site * in->runs + r].hits > 0)
                cost[n++] = log_cost(in, st, site, r);
        qsort(cost, n, sizeof *cost, number_order);
        for (size_t i = cut; i < n - cut; i++)
            sum += cost[i];
        st->mean[arm] = exp(sum / (double)(n - 2 * cut));
        st->low[arm] = cost[cut];
        st->high[arm] = cost[n - 1 - cut];
    }
    free(cost);
}

static void means_find(const struct inference *in, struct site_state *state)
{
    for (size_t s = 0; s < in->sites; s++) {
        const struct measured *m = &in->measured[s * in->runs];
        double ns[2] = { 0, 0 }, hits[2] = { 0, 0 }, variance = 0, raw = 0, samples = 0;
        struct site_state *st = &state[s];
        st->runs[0] = st->runs[1] = st->cut[0] = st->cut[1] = 0;
        for (size_t r = 0; r < in->runs; r++) {
            if (!(m[r].hits > 0))
                continue;
            unsigned arm = in->is_new[r];
            ns[arm] += m[r].ns / factor_of(in, st, r);
            hits[arm] += m[r].hits;
            variance += m[r].variance;
            raw += m[r].ns;
            samples += m[r].samples;
            st->runs[arm]++;
        }
        double n = (double)(st->runs[0] + st->runs[1]);
        for (unsigned arm = 0; arm < 2; arm++)
            st->mean[arm] = hits[arm] > 0 ? ns[arm] / hits[arm] : 0;
        st->pooled = n > 0 ? (ns[0] + ns[1]) / (hits[0] + hits[1]) : 0;
        st->sampling = raw > 0 ? variance * n / (raw * raw) : 0;
        st->usable = st->mean[0] > 0 && st->mean[1] > 0 &&
                     sqrt(st->sampling / (double)st->runs[0]) <= INFERENCE_ERROR_MOST &&
                     sqrt(st->sampling / (double)st->runs[1]) <= INFERENCE_ERROR_MOST;
        /* if all were of samples, variance * samples would be raw^2 */
        st->exact = st->usable && (variance == 0 || (samples > 0 && variance * samples < SAMPLED_LEAST * raw * raw));
        if (st->exact)
            typical_find(in, st, s);
    }
}

/* Relative variance of a run's time of a site, for weights: its own, as far as its runs tell, and that of all. */
static double variance_of(const struct inference *in, const struct site_state *st)
{
    double all = st->sampling + square(in->run_scatter) * st->share, freedom = fmax(0, site_freedom(st));
    if (st->exact)
        all = st->residual;
    return (FREEDOM_OF_ALL * all + freedom * st->residual) / (FREEDOM_OF_ALL + freedom) + 1e-6;
}

double site_runs(const struct site_state *st, unsigned arm) { return (double)(st->runs[arm] - 2 * st->cut[arm]); }

double site_freedom(const struct site_state *st) { return site_runs(st, 0) + site_runs(st, 1) - 2 - st->spent; }

double site_off(const struct inference *in, const struct site_state *st, size_t site, size_t run)
{
    const struct measured *m = &in->measured[site * in->runs + run];
    unsigned arm = in->is_new[run];
    double mean = st->mean[arm];
    if (st->exact)
        return fmin(fmax(log_cost(in, st, site, run), st->low[arm]), st->high[arm]) - log(mean);
    return m->ns / (factor_of(in, st, run) * m->hits * mean) - 1;
}

static bool tells_factor(const struct inference *in, const struct site_state *st, size_t site)
{
    return st->usable && st->follows >= FOLLOWS_LEAST && (!in->factor_known || in->control[site]);
}

/* Logarithm of a run's factor against the others of its program: the weighted median, over sites, of the time by what
 * the site takes on average. */
static double run_factor(const struct inference *in, const struct site_state *state, size_t run)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++) {
        const struct measured *m = &in->measured[s * in->runs + run];
        const struct site_state *st = &state[s];
        double expected = m->hits * st->mean[in->is_new[run]];
        if (tells_factor(in, st, s) && expected > 0)
            pair[n++] = (struct pair){ log(fmax(m->ns / expected, 1e-3)) / st->follows,
                                       square(st->follows) / variance_of(in, st) };
    }
    double factor = n >= INFERENCE_CONTROLS_LEAST ? weighted_median(pair, n) : 0;
    free(pair);
    return factor;
}

/* The same of the new program's runs against the old one's, by controls. */
static double arms_factor(const struct inference *in, const struct site_state *state)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++)
        if (in->control[s] && tells_factor(in, &state[s], s))
            pair[n++] = (struct pair){ log(state[s].mean[1] / state[s].mean[0]) / state[s].follows,
                                       square(state[s].follows) / variance_of(in, &state[s]) };
    double factor = n ? weighted_median(pair, n) : 0;
    free(pair);
    return factor;
}

/* ---- what sites follow ---- */

/* By run, sums of what sites tell of its factor and of their weights, of all and of each group. */
struct telling {
    double *factor; /* by the medians, and then by the means of what is within reach of these */
    double *sum, *weight, *own_sum, *own_weight;
};

static void telling_open(struct telling *t, const struct inference *in)
{
    t->factor = memory_zeroed(in->runs + 1, sizeof(double));
    t->sum = memory_zeroed(in->runs + 1, sizeof(double));
    t->weight = memory_zeroed(in->runs + 1, sizeof(double));
    t->own_sum = memory_zeroed(in->sites * in->runs + 1, sizeof(double));
    t->own_weight = memory_zeroed(in->sites * in->runs + 1, sizeof(double));
}

static void telling_close(struct telling *t)
{
    free(t->factor);
    free(t->sum);
    free(t->weight);
    free(t->own_sum);
    free(t->own_weight);
}

static void telling_find(const struct inference *in, const struct site_state *state, struct telling *t)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++)
        if (tells_factor(in, &state[s], s))
            pair[n++] = (struct pair){ (double)s, square(state[s].follows) / variance_of(in, &state[s]) };
    weights_cap(pair, n);
    for (size_t i = 0; i < n; i++) {
        size_t s = (size_t)pair[i].value;
        const struct site_state *st = &state[s];
        double reach = CLIP * sqrt(variance_of(in, st)) / st->follows;
        for (size_t r = 0; r < in->runs; r++) {
            if (!(in->measured[s * in->runs + r].hits > 0))
                continue;
            double seen = site_off(in, st, s, r) / st->follows, w = pair[i].weight;
            seen = fmin(fmax(seen, t->factor[r] - reach), t->factor[r] + reach);
            t->sum[r] += w * seen;
            t->weight[r] += w;
            t->own_sum[inference_group(in, s) * in->runs + r] += w * seen;
            t->own_weight[inference_group(in, s) * in->runs + r] += w;
        }
    }
    for (size_t r = 0; r < in->runs; r++)
        t->factor[r] = n >= INFERENCE_CONTROLS_LEAST && t->weight[r] > 0 ? t->sum[r] / t->weight[r] : 0;
    free(pair);
}

/* The variance of a run's factor, by how differently groups tell it. */
static double telling_noise(const struct inference *in, const struct telling *t)
{
    double noise = 0;
    for (size_t r = 0; r < in->runs; r++)
        for (size_t g = 0; g < in->sites && t->weight[r] > 0; g++) {
            double own = t->own_weight[g * in->runs + r] / t->weight[r],
                   off = t->own_sum[g * in->runs + r] / t->weight[r] - own * t->factor[r];
            noise += off * off / fmax(1 - own, 0.1) / (double)in->runs; /* its own part is in the factor */
        }
    return noise;
}

/* The factor of each run by other groups than the site's, 0 on average in each program. False: too little tells it. */
static bool others_find(const struct inference *in, const struct telling *t, size_t site, double kept, double *factor)
{
    const double *own = &t->own_sum[inference_group(in, site) * in->runs],
                 *own_weight = &t->own_weight[inference_group(in, site) * in->runs];
    double mean[2] = { 0, 0 }, runs[2] = { 0, 0 };
    if (in->given) {
        memcpy(factor, t->factor, in->runs * sizeof *factor);
        return true;
    }
    for (size_t r = 0; r < in->runs; r++) {
        double weight = t->weight[r] - own_weight[r];
        if (!(weight > OTHERS_LEAST * t->weight[r]))
            return false;
        factor[r] = kept * (t->sum[r] - own[r]) / weight;
        mean[in->is_new[r]] += factor[r];
        runs[in->is_new[r]]++;
    }
    for (size_t r = 0; r < in->runs; r++)
        factor[r] -= mean[in->is_new[r]] / runs[in->is_new[r]];
    return true;
}

/* The variance of what sites follow, beyond what their own runs leave open: that of the prior. */
static double follows_spread(const struct inference *in, const struct site_state *state)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    size_t n = 0;
    double sum = 0;
    for (size_t s = 0; s < in->sites; s++)
        if (state[s].usable && in->control[s] && state[s].follows_variance < 1)
            pair[n++] = (struct pair){ square(state[s].follows - 1) - state[s].follows_variance,
                                       1 / square(state[s].follows_variance + FOLLOWS_SPREAD) };
    double all = weights_cap(pair, n);
    for (size_t i = 0; i < n; i++)
        sum += pair[i].weight * pair[i].value / all;
    free(pair);
    return n < INFERENCE_CONTROLS_LEAST ? FOLLOWS_SPREAD : fmin(fmax(sum, FOLLOWS_SPREAD_LEAST), FOLLOWS_SPREAD_MOST);
}

static void follows_find(struct inference *in, struct site_state *state, const struct telling *t, double kept)
{
    double *others = memory_zeroed(in->runs + 1, sizeof *others);
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        double squares = 0, product = 0, variance = variance_of(in, st);
        bool told = st->usable && st->runs[0] + st->runs[1] >= FOLLOWS_RUNS && others_find(in, t, s, kept, others);
        for (size_t r = 0; told && r < in->runs; r++)
            if (in->measured[s * in->runs + r].hits > 0) {
                squares += square(others[r]);
                product += others[r] * site_off(in, st, s, r);
            }
        st->spent = squares > 0 ? product / squares : 1; /* until all are known */
        st->follows_variance = squares > 0 ? fmin(variance / squares, 1e6) : 1e6;
    }
    for (size_t s = 0; s < in->sites; s++)
        state[s].follows = state[s].spent;
    double spread = follows_spread(in, state);
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        st->spent = spread / (spread + st->follows_variance);
        st->follows = 1 + st->spent * (st->follows - 1);
        st->follows_variance = spread * (1 - st->spent);
        st->share = fmin(fmax(square(st->follows) + st->follows_variance, SHARE_LEAST), 1);
    }
    free(others);
}

/* ---- factors ---- */

/* Logarithms of the runs' factors, 0 on average in each program. As far as they differ by no more than their noise,
 * they are taken as the same: else that noise would be in every site's time (James and Stein 1961). Returns what part
 * of them is kept; *seen is their variance. */
static double factors_tell(const struct inference *in, const struct site_state *state, struct telling *t, double *seen)
{
    double mean[2] = { 0, 0 }, squares = 0;
    size_t runs[2] = { 0, 0 };
    for (size_t r = 0; r < in->runs; r++) {
        t->factor[r] = run_factor(in, state, r);
        runs[in->is_new[r]]++;
    }
    telling_find(in, state, t);
    double noise = telling_noise(in, t);
    for (size_t r = 0; r < in->runs; r++)
        mean[in->is_new[r]] += t->factor[r] / (double)runs[in->is_new[r]];
    for (size_t r = 0; r < in->runs; r++) {
        t->factor[r] -= mean[in->is_new[r]];
        squares += square(t->factor[r]);
    }
    double freedom = (double)runs[0] + (double)runs[1] - 2;
    *seen = freedom > 0 ? squares / freedom : 0;
    return *seen > 0 ? fmax(0, 1 - noise / *seen) : 0;
}

void drift_begin(struct inference *in, struct site_state *state)
{
    for (size_t r = 0; r < in->runs; r++)
        in->factor[r] = in->given ? in->factor[r] : 1;
    for (size_t s = 0; s < in->sites; s++)
        state[s].follows = state[s].share = 1;
    means_find(in, state);
}

/* Factors that are given, of both programs together: what each site follows of them is left to find. */
static void given_follow(struct inference *in, struct site_state *state)
{
    double *given = memory_zeroed(in->runs + 1, sizeof *given), mean[2] = { 0, 0 }, runs[2] = { 0, 0 };
    struct telling t = { .factor = memory_zeroed(in->runs + 1, sizeof(double)) };
    for (size_t r = 0; r < in->runs; r++) {
        given[r] = in->factor[r];
        mean[in->is_new[r]] += log(given[r]);
        runs[in->is_new[r]]++;
        in->factor[r] = 1;
    }
    for (size_t r = 0; r < in->runs; r++)
        t.factor[r] = log(given[r]) - mean[in->is_new[r]] / runs[in->is_new[r]];
    means_find(in, state);
    follows_find(in, state, &t, 1);
    for (size_t r = 0; r < in->runs; r++)
        in->factor[r] = given[r];
    means_find(in, state);
    telling_close(&t);
    free(given);
}

void drift_find(struct inference *in, struct site_state *state, int round)
{
    if (in->given) {
        if (round)
            given_follow(in, state);
        return;
    }
    struct telling t;
    double seen, runs[2] = { 0, 0 };
    telling_open(&t, in);
    in->shift_spread = INFINITY;
    for (size_t r = 0; r < in->runs; r++) {
        in->factor[r] = 1;
        runs[in->is_new[r]]++;
    }
    means_find(in, state);
    double kept = factors_tell(in, state, &t, &seen);
    if (round && in->factor_known)
        follows_find(in, state, &t, kept);
    for (size_t r = 0; r < in->runs; r++)
        in->factor[r] = exp(kept * t.factor[r]);
    means_find(in, state);
    double each = 1 / runs[0] + 1 / runs[1], freedom = runs[0] + runs[1] - 2;
    if (in->factor_known && in->in_turn && freedom > 0)
        in->shift_spread = (kept * seen + seen * sqrt(2 / freedom)) * each;
    in->shift = in->factor_known ? arms_factor(in, state) : 0;
    for (size_t r = 0; r < in->runs; r++)
        in->factor[r] *= exp(in->shift * (in->is_new[r] ? runs[0] : -runs[1]) / (double)in->runs);
    means_find(in, state);
    /* Not known: how the machine varies from run to run within a program bounds it. */
    in->shift_error = in->factor_known || freedom <= 0 ? 0 : sqrt(seen * each);
    telling_close(&t);
}
