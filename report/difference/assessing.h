/* SPDX-License-Identifier: MIT */
/* assessing.h: what the parts of an assessment hand each other: which sites are unchanged, how their times changed, and
 * which of that is told. */
#ifndef PROFPLUG_ASSESSING_H
#define PROFPLUG_ASSESSING_H

#include "difference/assess.h"

struct assessing {
    struct difference *d;
    const struct assess_pair *pair;
    bool *control;
    double *factor; /* CPU's, by run */
    double *probability;
    bool *found;
    bool *is_new;
    bool *by_part[CLOCKS]; /* by site: its CPU time is judged outside the kernel, its elapsed time by typical entries */
    double *weight;        /* of its probability, by site: 1 on average over functions */
    uint32_t *group;       /* by site: the function of a line */
    bool in_turn;
    size_t *run_of; /* number of each run among those of its program */
    size_t tests;
};

/* clocks.c: the change, error and probability of every time that was seen enough of, and the machine's factors. */
void clocks_assess(struct assessing *assessing);
/* discover.c: which sites changed, at false discovery rate q, by their probabilities. */
void stages_discover(struct assessing *assessing, double q);
void functions_discover(struct assessing *assessing, double q);

#endif
