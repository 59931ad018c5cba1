/* SPDX-License-Identifier: MIT */
/* drift.h: how the machine changed from run to run, and how much of that each site follows: code that waits for memory
 * slows down beside other programs, code that computes hardly does. Costs of sites without it. It must not know
 * whether a site changed. */
#ifndef PROFPLUG_DRIFT_H
#define PROFPLUG_DRIFT_H

#include "difference/inference.h"

struct site_state {
    double mean[2];  /* ns a hit, old and new */
    double pooled;   /* of both */
    double sampling; /* relative variance of one run by sampling, as if nothing had changed */
    double residual; /* relative variance from run to run */
    double ratio;    /* residual by what is expected, moderated */
    double prior;    /* degrees of freedom that others tell of it */
    size_t runs[2];  /* in which it ran */
    size_t cut[2];  /* runs that do not count at either end, where times are exact */
    double low[2], high[2]; /* logarithms of the cost of those that do */
    bool usable;
    bool exact; /* most of it is not sampled: a clock measured it, and single runs can be many times longer */
    /* its cost goes as that power of the machine's factor; 1 is what sites do on average */
    double follows, follows_variance;
    double share; /* of the variance that sites have in common beyond sampling, by how far this one follows */
    double spent; /* degrees of freedom that it took to learn that, 0 to 1 */
};

/* Of a site's runs, what is left to tell its variance. */
double site_freedom(const struct site_state *site);
/* Runs of a program that its mean is of. */
double site_runs(const struct site_state *site, unsigned arm);
/* Times of a run by what the site takes on average, less 1, or the logarithm, without the machine's part. */
double site_off(const struct inference *in, const struct site_state *site, size_t number, size_t run);
void drift_begin(struct inference *in, struct site_state *state);
/* Factors, what each site follows of them, and means without both. `round`: residuals are known from the second on. */
void drift_find(struct inference *in, struct site_state *state, int round);

#endif
