/* SPDX-License-Identifier: MIT */
/* account.h: what profiling cost, from what the runtime recorded of its work, and how sure that is. */
#ifndef PROFPLUG_ACCOUNT_H
#define PROFPLUG_ACCOUNT_H

#include "model/model.h"

/* Sets the run's self_ns, self_most_ns, cost_unknown and cost_is_wide, once samples have their places. */
void account_find(struct model *model);

/* An interval is too wide to be told, for a run of this CPU time. */
bool account_is_wide(const struct model_run *run, double low, double high);

#endif
