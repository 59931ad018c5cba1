/* SPDX-License-Identifier: MIT */
/* assess.h: counts and times of pairs of sites to verdicts and causes. Must not know how sites were matched. */
#ifndef PROFPLUG_ASSESS_H
#define PROFPLUG_ASSESS_H

#include "difference/match.h"

struct assess_pair {
    const struct observed_site *side[ARMS];
};

/* pair[i] is what site i of the difference is made of. controls: code may be taken as unchanged. */
void times_assess(struct difference *difference, const struct assess_pair *pair, bool controls);

/* counts.c: which counts changed. Returns how many differ that vary from run to run, where runs are too few to tell. */
size_t counts_assess(struct difference *difference, const struct assess_pair *pair);

/* Logarithm of how much longer work of the new program's runs took than of the old one's for want of a CPU. */
double crowding_change(const struct difference *difference);

/* difference.c: what run `run` of its program showed; NULL: nothing. */
const struct observed *observed_at(const struct observed_site *site, size_t run);

#endif
