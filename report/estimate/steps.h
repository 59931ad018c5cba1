/* SPDX-License-Identifier: MIT */
/* steps.h: entries and steps of innermost loops that nobody annotated, into the LOOP remarks of the model. */
#ifndef PROFPLUG_STEPS_H
#define PROFPLUG_STEPS_H

#include "merge/merge.h"

/* Takes the remarks that name counters off the model's list. Call it when the lines of loops are known, and before
 * remarks are sorted. */
void steps_merge(struct model *model, const struct profile *profile);

/* The counters by key, which the caller frees, and how often one of them counted in all threads. */
struct profile_counter *counters_sorted(const struct profile *profile);
uint64_t counters_sum(const struct profile_counter *counter, size_t count, uint64_t key);

#endif
