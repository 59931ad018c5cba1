/* SPDX-License-Identifier: MIT */
/* inference.c: see inference.h. */
#include "difference/inference.h"

#include <math.h>
#include <stdlib.h>

#include "difference/student.h"
#include "store/arena.h"

enum { ROUNDS = 4, HALVINGS = 60 };
#define SAMPLED_LEAST 0.25 /* square of the part that samples found */
/* Of all weights: no site decides alone what the machine did, and of few sites none has more than a quarter. */
static double weight_most(size_t count) { return fmax(0.05, fmin(0.25, 3.0 / (double)(count ? count : 1))); }

struct site_state {
    double mean[2];   /* ns a hit, old and new */
    double pooled;    /* of both */
    double sampling;  /* relative variance of one run by sampling, as if nothing had changed */
    double residual;  /* relative variance from run to run */
    double ratio;     /* residual by what is expected, moderated */
    size_t runs[2];   /* in which it ran */
    bool usable;
    bool exact;       /* most of it is not sampled: a clock measured it, and single runs can be many times longer */
};

struct pair {
    double value, weight;
};

static int pair_order(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

/* Returns the sum of the weights, after none is too large a part of them. */
static double weights_cap(struct pair *pair, size_t count)
{
    double sum = 0, before = INFINITY;
    for (int round = 0; round < HALVINGS && sum < 0.999 * before; round++) { /* what is cut makes the sum smaller */
        before = round ? sum : INFINITY;
        sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += pair[i].weight;
        for (size_t i = 0; i < count; i++)
            pair[i].weight = fmin(pair[i].weight, weight_most(count) * sum);
    }
    sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pair[i].weight;
    return sum;
}

static double weighted_median(struct pair *pair, size_t count)
{
    double sum = weights_cap(pair, count), so_far = 0;
    qsort(pair, count, sizeof *pair, pair_order);
    for (size_t i = 0; i < count; i++) {
        so_far += pair[i].weight;
        if (so_far == sum / 2 && i + 1 < count)
            return (pair[i].value + pair[i + 1].value) / 2;
        if (so_far > sum / 2)
            return pair[i].value;
    }
    return count ? pair[count - 1].value : 1;
}

/* Logarithm of a run's ns a hit, of what was not sampled. A time of nothing counts as a hundredth of the mean. */
static double log_cost(const struct inference *in, const struct site_state *st, size_t site, size_t run)
{
    const struct measured *m = &in->measured[site * in->runs + run];
    return log(fmax(m->ns / (in->factor[run] * m->hits), 0.01 * st->pooled));
}

/* The typical run's, where times are exact: of sums, a single run of a busy machine would be most. */
static void typical_find(const struct inference *in, struct site_state *st, size_t site)
{
    double sum[2] = { 0, 0 };
    for (size_t r = 0; r < in->runs; r++)
        if (in->measured[site * in->runs + r].hits > 0)
            sum[in->is_new[r]] += log_cost(in, st, site, r);
    for (unsigned arm = 0; arm < 2; arm++)
        st->mean[arm] = exp(sum[arm] / (double)st->runs[arm]);
}

static void means_find(const struct inference *in, struct site_state *state)
{
    for (size_t s = 0; s < in->sites; s++) {
        const struct measured *m = &in->measured[s * in->runs];
        double ns[2] = { 0, 0 }, hits[2] = { 0, 0 }, variance = 0, raw = 0, samples = 0;
        struct site_state *st = &state[s];
        st->runs[0] = st->runs[1] = 0;
        for (size_t r = 0; r < in->runs; r++) {
            if (!(m[r].hits > 0))
                continue;
            unsigned arm = in->is_new[r];
            ns[arm] += m[r].ns / in->factor[r];
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

/* Relative variance of a run's time of a site. Its own scatter counts, too: of a time that is not sampled, that is all
 * that is known. */
static double variance_of(const struct inference *in, const struct site_state *st)
{
    return st->sampling + in->run_scatter * in->run_scatter + st->residual + 1e-6;
}

/* Of a weighted median of values with these variances: pi / 2 times that of a mean with the same weights. */
static double median_variance(struct pair *pair, size_t count)
{
    double variance = 0, sum = weights_cap(pair, count);
    for (size_t i = 0; i < count; i++)
        variance += pair[i].weight * pair[i].weight * pair[i].value / (sum * sum);
    return 1.5707963 * variance;
}

/* Logarithm of a run's factor against the others of its program: the weighted median, over sites, of the time by what
 * the site takes on average. *noise is its variance. */
static double run_factor(const struct inference *in, const struct site_state *state, size_t run, double *noise)
{
    struct pair *pair = memory_zeroed(2 * in->sites + 1, sizeof *pair), *variance = pair + in->sites;
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++) {
        const struct measured *m = &in->measured[s * in->runs + run];
        const struct site_state *st = &state[s];
        double expected = m->hits * st->mean[in->is_new[run]], spread = variance_of(in, st);
        if (!st->usable || !(expected > 0) || (in->factor_known && !in->control[s]))
            continue;
        variance[n] = (struct pair){ spread, 1 / spread };
        pair[n++] = (struct pair){ m->ns / expected, 1 / spread };
    }
    double factor = 0;
    *noise = 0;
    if (n >= INFERENCE_CONTROLS_LEAST) {
        *noise = median_variance(variance, n);
        factor = log(fmax(weighted_median(pair, n), 1e-3));
    }
    free(pair);
    return factor;
}

/* The same of the new program's runs against the old one's, by controls. */
static double arms_factor(const struct inference *in, const struct site_state *state)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++)
        if (state[s].usable && in->control[s])
            pair[n++] = (struct pair){ log(state[s].mean[1] / state[s].mean[0]), 1 / variance_of(in, &state[s]) };
    double factor = n ? weighted_median(pair, n) : 0;
    free(pair);
    return factor;
}

/* Factors of runs, 1 on average. As far as they differ by no more than their noise, they are taken as the same: else
 * that noise would be in every site's time (James and Stein 1961). */
static void factors_find(struct inference *in, struct site_state *state)
{
    double *off = memory_zeroed(in->runs + 1, sizeof *off), mean[2] = { 0, 0 }, squares = 0, noise = 0, one;
    size_t runs[2] = { 0, 0 };
    for (size_t r = 0; r < in->runs; r++) {
        in->factor[r] = 1;
        runs[in->is_new[r]]++;
    }
    means_find(in, state);
    for (size_t r = 0; r < in->runs; r++) {
        off[r] = run_factor(in, state, r, &one);
        mean[in->is_new[r]] += off[r] / (double)runs[in->is_new[r]];
        noise += one / (double)in->runs;
    }
    for (size_t r = 0; r < in->runs; r++) {
        off[r] -= mean[in->is_new[r]];
        squares += off[r] * off[r];
    }
    double freedom = (double)runs[0] + (double)runs[1] - 2, seen = freedom > 0 ? squares / freedom : 0;
    double kept = seen > 0 ? fmax(0, 1 - noise / seen) : 0;
    for (size_t r = 0; r < in->runs; r++)
        in->factor[r] = exp(kept * off[r]);
    means_find(in, state);
    in->shift = in->factor_known ? arms_factor(in, state) : 0;
    for (size_t r = 0; r < in->runs; r++) {
        double share = (double)runs[!in->is_new[r]] / (double)in->runs;
        in->factor[r] *= exp(in->shift * (in->is_new[r] ? share : -share));
    }
    /* Not known: how the machine varies from run to run within a program bounds it. */
    in->shift_error = in->factor_known || freedom <= 0
                          ? 0
                          : sqrt(seen * (1.0 / (double)runs[0] + 1.0 / (double)runs[1]));
    free(off);
}

static double freedom_of(const struct site_state *st) { return (double)(st->runs[0] + st->runs[1]) - 2; }

static void residuals_find(const struct inference *in, struct site_state *state)
{
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        double squares = 0;
        for (size_t r = 0; st->usable && r < in->runs; r++) {
            const struct measured *m = &in->measured[s * in->runs + r];
            if (!(m->hits > 0))
                continue;
            double mean = st->mean[in->is_new[r]];
            double off = st->exact ? log_cost(in, st, s, r) - log(mean) : m->ns / (in->factor[r] * m->hits * mean) - 1;
            squares += off * off;
        }
        st->residual = freedom_of(st) > 0 ? squares / freedom_of(st) : 0;
    }
}

/* The variance that all sites have in common beyond sampling: with it, the median of residual by expected variance is
 * that of chi-square. */
static double common_variance(const struct inference *in, const struct site_state *state)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = i ? (low + high) / 2 : 0;
        size_t n = 0;
        for (size_t s = 0; s < in->sites; s++)
            if (state[s].usable && freedom_of(&state[s]) > 0) {
                double variance = state[s].sampling + middle + 1e-12;
                pair[n++] = (struct pair){ state[s].residual / variance / chi_median(freedom_of(&state[s])),
                                           1 / variance };
            }
        bool more = n && weighted_median(pair, n) > 1;
        if (!i && !more)
            high = 0;
        *(more ? &low : &high) = middle;
    }
    free(pair);
    return high;
}

/* Moderates each site's residual by those of all (Smyth 2004, section 6.2). Returns the prior's degrees of freedom. */
static double variances_moderate(const struct inference *in, struct site_state *state, double common, double *pooled)
{
    double sum = 0, squares = 0, expected = 0, count = 0;
    *pooled = 0;
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        double d = freedom_of(st);
        st->ratio = fmax(st->residual / (st->sampling + common + 1e-12), 1e-4);
        if (!st->usable || d <= 0)
            continue;
        double e = log(st->ratio) - digamma_of(d / 2) + log(d / 2);
        sum += e;
        squares += e * e;
        expected += trigamma_of(d / 2);
        count++;
        *pooled += d;
    }
    if (count < 3) { /* nothing to learn from others: the own, but no less than is known */
        for (size_t s = 0; s < in->sites; s++)
            state[s].ratio = fmax(state[s].ratio, 1);
        return 0;
    }
    double mean = sum / count, excess = (squares - count * mean * mean) / (count - 1) - expected / count;
    double prior = excess > 1e-9 ? 2 * trigamma_inverse(excess) : INFINITY;
    prior = prior > 1e6 ? INFINITY : prior;
    double level = exp(mean + (isinf(prior) ? 0 : digamma_of(prior / 2) - log(prior / 2)));
    for (size_t s = 0; s < in->sites; s++) {
        double d = freedom_of(&state[s]);
        state[s].ratio = isinf(prior) ? level : (prior * level + d * state[s].ratio) / (prior + d);
    }
    return prior;
}

/* Beyond their errors, how differently do controls change? Squares of normal deviates, cut at 4 so that a control that
 * did change does not decide, have the mean SQUARE_CUT. */
#define SQUARE_CUT 0.9205
static double scatter_find(const struct inference *in)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    double low = 0, high = 1;
    for (int i = 0; i < HALVINGS; i++) {
        double middle = i ? (low + high) / 2 : 0, mean = 0;
        size_t n = 0;
        for (size_t s = 0; s < in->sites; s++) {
            const struct contrast *c = &in->contrast[s];
            double variance = c->error * c->error + middle + 1e-12;
            if (c->tested && in->control[s])
                pair[n++] = (struct pair){ fmin(c->change * c->change / variance, 4), 1 / variance };
        }
        double sum = weights_cap(pair, n);
        for (size_t k = 0; k < n; k++)
            mean += pair[k].value * pair[k].weight / sum;
        bool more = n >= INFERENCE_CONTROLS_LEAST && mean > SQUARE_CUT;
        if (!i && !more)
            high = 0;
        *(more ? &low : &high) = middle;
    }
    free(pair);
    return high;
}

static double shift_error_find(const struct inference *in)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++) {
        const struct contrast *c = &in->contrast[s];
        double variance = c->error * c->error + in->scatter * in->scatter;
        if (c->tested && in->control[s])
            pair[n++] = (struct pair){ variance, 1 / variance };
    }
    double variance = median_variance(pair, n);
    free(pair);
    return sqrt(variance);
}

static void contrasts_find(struct inference *in, struct site_state *state, double common, double prior, double pooled)
{
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        struct contrast *c = &in->contrast[s];
        /* one exact time of each does not tell how times vary */
        *c = (struct contrast){ .tested = st->usable && (st->sampling > 0 || freedom_of(st) > 0), .probability = 1 };
        if (!c->tested)
            continue;
        double runs = 1.0 / (double)st->runs[0] + 1.0 / (double)st->runs[1], d = freedom_of(st);
        c->change = log(st->mean[1] / st->mean[0]);
        double variance = (d > 0 ? st->ratio : 1) * (st->sampling + common + 1e-12);
        c->freedom = d > 0 ? fmin(prior + d, fmax(pooled, d)) : INFINITY;
        if (st->exact && d > 0) { /* others do not tell which function waits for a CPU now and then */
            variance = fmax(variance, st->residual);
            c->freedom = d;
        }
        c->error = sqrt(variance * runs);
    }
    in->scatter = in->factor_known ? sqrt(scatter_find(in)) : 0;
    if (in->factor_known)
        in->shift_error = shift_error_find(in);
    for (size_t s = 0; s < in->sites; s++) {
        struct contrast *c = &in->contrast[s];
        if (!c->tested)
            continue;
        c->fixed = in->scatter * in->scatter;
        c->error = sqrt(c->error * c->error + c->fixed + in->shift_error * in->shift_error);
        /* as a score: by the variance that both would have if nothing had changed, so linear in sampled times */
        double score = state[s].exact ? c->change : 2 * tanh(c->change / 2);
        c->probability = student_tails(score / c->error, c->freedom);
    }
}

void inference_make(struct inference *in)
{
    struct site_state *state = memory_zeroed(in->sites + 1, sizeof *state);
    for (size_t r = 0; r < in->runs; r++)
        in->factor[r] = 1;
    in->run_scatter = 0;
    in->controls = 0;
    means_find(in, state);
    for (size_t s = 0; s < in->sites; s++)
        in->controls += in->control[s] && state[s].usable;
    in->factor_known = in->controls >= INFERENCE_CONTROLS_LEAST;
    for (int round = 0; round < ROUNDS; round++) {
        factors_find(in, state);
        means_find(in, state);
        residuals_find(in, state);
        in->run_scatter = sqrt(common_variance(in, state));
    }
    double common = in->run_scatter * in->run_scatter, pooled;
    double prior = variances_moderate(in, state, common, &pooled);
    contrasts_find(in, state, common, prior, pooled);
    free(state);
}
