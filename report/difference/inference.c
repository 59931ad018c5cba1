/* SPDX-License-Identifier: MIT */
/* inference.c: see inference.h. */
#include "difference/inference.h"

#include <math.h>
#include <stdlib.h>

#include "difference/drift.h"
#include "difference/student.h"
#include "difference/weighted.h"
#include "store/arena.h"

#define PRIOR_MOST 1e6 /* degrees of freedom */
enum { ROUNDS = 4, HALVINGS = 60, MODERATING_LEAST = 3 };

static void residuals_find(const struct inference *in, struct site_state *state)
{
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        double squares = 0;
        for (size_t r = 0; st->usable && r < in->runs; r++)
            if (in->measured[s * in->runs + r].hits > 0) {
                double off = site_off(in, st, s, r);
                squares += off * off;
            }
        st->residual = site_freedom(st) > 0 ? squares / site_freedom(st) : 0;
    }
}

static bool varies_by_samples(const struct site_state *st) { return st->usable && !st->exact && site_freedom(st) > 0; }

/* The variance that a run's cost of a site should have: that of its samples, and its share of what all sites have. */
static double variance_expected(const struct site_state *st, double common)
{
    return st->sampling + common * st->share + 1e-12;
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
            if (varies_by_samples(&state[s])) {
                double variance = variance_expected(&state[s], middle);
                pair[n++] =
                    (struct pair){ state[s].residual / variance / chi_median(site_freedom(&state[s])), 1 / variance };
            }
        bool more = n && weighted_median(pair, n) > 1;
        if (!i && !more)
            high = 0;
        *(more ? &low : &high) = middle;
    }
    free(pair);
    return high;
}

/* The part of a site's variance that does not come from sampling. */
static double unsampled(const struct site_state *st, double common)
{
    return common * st->share / variance_expected(st, common);
}

/* How much sites' variances differ from what is expected: the variance of the logarithm of their ratio, without that of
 * chance. `beyond`: only for the part that does not come from sampling; sites in which it is large count most. 0: they
 * differ by chance alone. */
static double spread_find(const struct inference *in, const struct site_state *state, double common, bool beyond)
{
    double weights = 0, mean = 0, squares = 0, more = 0;
    for (int pass = 0; pass < 2; pass++)
        for (size_t s = 0; s < in->sites; s++) {
            const struct site_state *st = &state[s];
            double w = beyond ? pow(unsampled(st, common), 2) : 1, d = site_freedom(st);
            if (!varies_by_samples(st))
                continue;
            double e = log(st->ratio) - digamma_of(d / 2) + log(d / 2);
            weights += pass ? 0 : w;
            mean += pass ? 0 : w * e;
            squares += pass ? w * (pow(e - mean / weights, 2) - trigamma_of(d / 2)) : 0;
            more += pass ? w * w : 0;
        }
    return more > 0 ? fmax(0, squares / more) : 0;
}

/* Moderates each site's residual by those of all (Smyth 2004, section 6.2). The prior has fewer degrees of freedom
 * where less of a site's variance comes from sampling. A site that varies more than chance explains among so many sites
 * gets no prior (Phipson and others 2016). With too few sites each has its own variance. */
static void variances_moderate(const struct inference *in, struct site_state *state, double common, double *pooled)
{
    double sum = 0, count = 0;
    *pooled = 0;
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        double d = site_freedom(st);
        st->ratio = fmax(st->residual / variance_expected(st, common), 1e-4);
        st->prior = 0;
        if (!varies_by_samples(st))
            continue;
        sum += log(st->ratio) - digamma_of(d / 2) + log(d / 2);
        count++;
        *pooled += d;
    }
    double all = spread_find(in, state, common, false), beyond = spread_find(in, state, common, true);
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        double d = site_freedom(st), own = fmax(all, pow(unsampled(st, common), 2) * beyond);
        if (count < MODERATING_LEAST) { /* nothing to learn from others: the own, but no less than is known */
            st->ratio = fmax(st->ratio, 1);
            continue;
        }
        double prior = own > 1e-9 ? fmin(2 * trigamma_inverse(own), PRIOR_MOST) : PRIOR_MOST,
               level = exp(sum / count + digamma_of(prior / 2) - log(prior / 2));
        if (d > 0)
            prior *= fmin(1, count * fisher_tail(st->ratio / level, d, prior));
        st->ratio = d > 0 ? (prior * level + d * st->ratio) / (prior + d) : level;
        st->prior = prior;
    }
}

/* Squares of normal deviates, so that a control that did change does not decide: cut at 4, or only those below 4. They
 * have that mean and that standard deviation. */
#define SQUARE_MOST 4
#define SQUARE_CUT 0.9205
#define SQUARE_CUT_SPREAD 1.11
#define SQUARE_KEPT 0.7737
#define SQUARE_KEPT_SPREAD 0.904
#define SIGMAS 2      /* beyond its error, a control may have changed */
#define SIGMAS_SURE 3 /* beyond chance, if the programs ran in turn */
#define SMALLEST 1e-6
#define STEP 1.3
#define GROUP_NONE UINT32_MAX
#define ASKED_MOST 100 /* sites that changed by more than that: of many controls, none weighs much */

static double square_expected(const struct inference *in) { return in->in_turn ? SQUARE_KEPT : SQUARE_CUT; }

/* The mean of the squares of what controls changed by their errors, with that variance more; *error is its own. The
 * group `but` is left out. If the programs ran in turn, nothing but where code lies makes controls differ, and those
 * beyond two sigma are taken for changed: the middle of all tells how they differ without a change (Efron 2004). */
static double squares_mean(const struct inference *in, const struct site_state *state, double more, uint32_t but,
                           double *error)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    double mean = 0, weights = 0;
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++) {
        const struct contrast *c = &in->contrast[s];
        if (!c->tested || !in->control[s] || inference_group(in, s) == but)
            continue;
        double variance = c->error * c->error + more * state[s].share + 1e-12,
               square = c->change * c->change / variance;
        if (!in->in_turn || square < SQUARE_MOST)
            pair[n++] = (struct pair){ fmin(square, SQUARE_MOST), 1 / variance };
    }
    double sum = weights_cap(pair, n);
    for (size_t k = 0; k < n; k++) {
        mean += pair[k].value * pair[k].weight / sum;
        weights += pair[k].weight * pair[k].weight / (sum * sum);
    }
    free(pair);
    *error = (in->in_turn ? SQUARE_KEPT_SPREAD : SQUARE_CUT_SPREAD) * sqrt(weights);
    return n < INFERENCE_CONTROLS_LEAST ? 0 : mean;
}

/* Beyond their errors, how differently do controls change? By where the code lies, and by what else was there when
 * either program ran. If they ran in turn, only what is no chance counts: else it would be in every error. The least
 * variance that suffices: of a larger one, those that changed are within two sigma again. */
static double scatter_find(const struct inference *in, const struct site_state *state, uint32_t but)
{
    double low = 0, high = SMALLEST, error, wanted = square_expected(in),
           mean = squares_mean(in, state, 0, but, &error);
    if (mean <= wanted + (in->in_turn ? SIGMAS_SURE * error : 0))
        return 0;
    for (; high < 1 && squares_mean(in, state, high, but, &error) > wanted; high *= STEP)
        low = high;
    for (int i = 0; i < HALVINGS / 2; i++) {
        double middle = (low + high) / 2;
        *(squares_mean(in, state, middle, but, &error) > wanted ? &low : &high) = middle;
    }
    return high;
}

static double squares_more(const struct inference *in, const struct site_state *state, double more, uint32_t but)
{
    double error, mean = squares_mean(in, state, more, but, &error);
    return (in->in_turn ? mean - error : mean) / square_expected(in);
}

/* What is left of that may still be chance, or errors that are too small: then all are that much larger. */
static void scatter_add(struct inference *in, const struct site_state *state)
{
    double all = scatter_find(in, state, GROUP_NONE), times = squares_more(in, state, all, GROUP_NONE);
    double *wider = memory_zeroed(2 * in->sites + 1, sizeof *wider), *own = wider + in->sites;
    size_t asked = 0;
    in->scatter = sqrt(all);
    for (size_t s = 0; s < in->sites; s++) {
        const struct contrast *c = &in->contrast[s];
        wider[s] = times;
        own[s] = all;
        /* a control that did change tells nothing of itself */
        if (!c->tested || fabs(c->change) < SIGMAS * c->error || ++asked > ASKED_MOST)
            continue;
        own[s] = scatter_find(in, state, inference_group(in, s));
        wider[s] = squares_more(in, state, own[s], inference_group(in, s));
    }
    for (size_t s = 0; s < in->sites; s++) {
        in->contrast[s].error *= sqrt(fmax(1, wider[s]));
        in->contrast[s].fixed = own[s] * state[s].share;
    }
    free(wider);
}

static double shift_error_find(const struct inference *in)
{
    struct pair *pair = memory_zeroed(in->sites + 1, sizeof *pair);
    size_t n = 0;
    for (size_t s = 0; s < in->sites; s++) {
        const struct contrast *c = &in->contrast[s];
        double variance = c->error * c->error + c->fixed;
        if (c->tested && in->control[s])
            pair[n++] = (struct pair){ variance, 1 / variance };
    }
    double variance = median_variance(pair, n);
    free(pair);
    return sqrt(variance);
}

/* If the programs ran in turn, the machine was not slower for one of them by more than chance, as runs of one program
 * tell. What controls say counts as far as it is more certain than that. */
static void shift_moderate(struct inference *in, const struct site_state *state)
{
    double error = shift_error_find(in), variance = error * error,
           kept = isinf(in->shift_spread) ? 1 : in->shift_spread / (in->shift_spread + variance + 1e-12),
           off = (1 - kept) * in->shift;
    size_t new_runs = 0;
    for (size_t r = 0; r < in->runs; r++)
        new_runs += in->is_new[r];
    for (size_t s = 0; s < in->sites; s++)
        in->contrast[s].change += off * state[s].follows;
    for (size_t r = 0; r < in->runs; r++) {
        double runs = in->is_new[r] ? (double)(in->runs - new_runs) : -(double)new_runs;
        in->factor[r] *= exp(-off * runs / (double)in->runs);
    }
    in->shift -= off;
    in->shift_error = sqrt(kept * variance);
}

static void contrasts_find(struct inference *in, struct site_state *state, double common, double pooled)
{
    for (size_t s = 0; s < in->sites; s++) {
        struct site_state *st = &state[s];
        struct contrast *c = &in->contrast[s];
        /* one exact time of each does not tell how times vary */
        bool known = site_freedom(st) > 0 || (st->sampling > 0 && !st->exact);
        *c = (struct contrast){ .tested = st->usable && known, .probability = 1 };
        if (!c->tested)
            continue;
        double runs = 1 / site_runs(st, 0) + 1 / site_runs(st, 1), d = site_freedom(st);
        c->change = log(st->mean[1] / st->mean[0]);
        double variance = (d > 0 ? st->ratio : 1) * variance_expected(st, common);
        c->freedom = d > 0 ? fmin(st->prior + d, fmax(pooled, d)) : INFINITY;
        c->own_freedom = fmax(d, 0);
        if (st->exact && d > 0) { /* others do not tell how a time varies that is not sampled */
            variance = st->residual + 1e-12;
            c->freedom = d;
        }
        c->error = sqrt(variance * runs + st->follows_variance * in->shift * in->shift);
    }
    in->scatter = 0;
    if (in->factor_known)
        scatter_add(in, state);
    if (in->factor_known && !in->given)
        shift_moderate(in, state);
    for (size_t s = 0; s < in->sites; s++) {
        struct contrast *c = &in->contrast[s];
        double shift = in->shift_error * state[s].follows;
        if (!c->tested)
            continue;
        c->error = sqrt(c->error * c->error + c->fixed + shift * shift);
        /* as a score: by the variance that both would have if nothing had changed, so linear in sampled times */
        double score = state[s].exact ? c->change : 2 * tanh(c->change / 2);
        c->probability = student_tails(score / c->error, c->freedom);
    }
}

void inference_make(struct inference *in)
{
    struct site_state *state = memory_zeroed(in->sites + 1, sizeof *state);
    in->run_scatter = 0;
    in->controls = 0;
    drift_begin(in, state);
    for (size_t s = 0; s < in->sites; s++)
        in->controls += in->control[s] && state[s].usable;
    in->factor_known = in->given || in->controls >= INFERENCE_CONTROLS_LEAST;
    for (int round = 0; round < ROUNDS; round++) {
        drift_find(in, state, round);
        residuals_find(in, state);
        in->run_scatter = sqrt(common_variance(in, state));
    }
    double common = in->run_scatter * in->run_scatter, pooled;
    variances_moderate(in, state, common, &pooled);
    contrasts_find(in, state, common, pooled);
    free(state);
}
