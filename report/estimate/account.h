/* SPDX-License-Identifier: MIT */
/* account.h: what profiling cost, from what the runtime recorded of its work, and how sure that is. */
#ifndef PROFPLUG_ACCOUNT_H
#define PROFPLUG_ACCOUNT_H

#include "model/model.h"

/* Sets the run's self_ns, self_most_ns and cost_unknown, once samples have their places. */
void account_find(struct model *model);

#endif
