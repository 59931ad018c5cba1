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
    double *part[CLOCKS];  /* by site: of the probability of a change, what counts for that part */
    double *rate;          /* by site: its change is told below that probability, if nothing else changed */
    uint32_t *group;       /* by site: the function of a line */
    bool in_turn;
    size_t *run_of; /* number of each run among those of its program */
};

/* clocks.c: the change, error and probability of every time that was seen enough of, and the machine's factors. */
void clocks_assess(struct assessing *assessing);
/* discover.c: which sites changed, at false discovery rate q, by their probabilities. */
void stages_discover(struct assessing *assessing, double q);
void functions_discover(struct assessing *assessing, double q);
/* power.c: how small a change the runs show, and how many runs show a smaller one. INFINITY: no number does. */
struct difference_power power_of(const struct assessing *assessing, size_t site, enum difference_clock clock);
double power_least(const struct difference_power *power);
double power_runs(const struct difference_power *power, double effect);

#endif
