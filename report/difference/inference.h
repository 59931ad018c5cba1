/* SPDX-License-Identifier: MIT */
/* inference.h: whether costs of sites changed from runs of an old program to runs of a new one, and how much the
 * machine changed meanwhile. It must not know what a site is, nor what was measured.
 *
 * Sources: Smyth, "Linear models and empirical Bayes methods", Stat. Appl. Genet. Mol. Biol. 3 (2004), for variances
 * pooled over sites; Phipson and others, "Robust hyperparameter estimation protects against hypervariable genes", Ann.
 * Appl. Stat. 10 (2016), for sites that vary more than any other; Efron, "Large-scale simultaneous hypothesis
 * testing", J. Am. Stat. Assoc. 99 (2004), for what unchanged sites tell of the distribution without a change. Why each
 * step: docs/decisions/difference.md. */
#ifndef PROFPLUG_INFERENCE_H
#define PROFPLUG_INFERENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A site's time in a run, the variance that its sampling gives it, and how often it was hit: the time is proportional
 * to that. 0 hits: it did not run. samples: in it; 0: not known, or none. */
struct measured {
    double ns, variance, hits, samples;
};

struct contrast {
    bool tested;
    double change;      /* logarithm of new by old, per hit, without the machine's factor */
    double error;       /* one sigma of it */
    double fixed;       /* part of error^2 that does not shrink with more runs */
    double freedom;     /* degrees of freedom of the error */
    double own_freedom; /* those that the site's own runs give */
    double probability; /* of a change that large, either way, if there is none; 1 if not tested */
};

struct inference {
    size_t runs, sites;
    const bool *is_new;              /* by run */
    const struct measured *measured; /* by site, then by run: measured[site * runs + run] */
    const bool *control;             /* by site: nothing changed that is known to matter */
    const uint32_t *group;           /* by site: sites of one group measure the same time; NULL: each is its own */
    bool in_turn;                    /* the programs ran in turn, so that what varied in time varied in both */
    bool given;                      /* factors, shift and its error are given: another time's of the same runs */
    /* Results. The caller provides room. */
    struct contrast *contrast; /* by site */
    double *factor;            /* by run: the machine's, 1 on average */
    bool factor_known;         /* enough controls: then the new runs' is known against the old ones' */
    double shift, shift_error; /* its logarithm, new by old */
    double shift_spread;       /* variance of that by how runs of one program differ; INFINITY: by anything */
    size_t controls;
    double scatter;     /* sigma of how differently costs of controls change, beyond their errors */
    double run_scatter; /* sigma of a sampled site's cost from run to run, beyond its sampling error */
};

/* Relative errors of a site's sum over a program's runs above which it is not tested: fewer than 25 samples. */
#define INFERENCE_ERROR_MOST 0.2
enum { INFERENCE_CONTROLS_LEAST = 5 };

static inline uint32_t inference_group(const struct inference *in, size_t site)
{
    return in->group ? in->group[site] : (uint32_t)site;
}

void inference_make(struct inference *inference);

#endif
