/* SPDX-License-Identifier: MIT */
/* total.h: inclusive times of functions. Must not know where samples were. */
#ifndef PROFPLUG_TOTAL_H
#define PROFPLUG_TOTAL_H

#include "model/model.h"
#include "estimate/region.h"

/* After the nodes of the call tree were added up to their functions' `total`: what is exact, what clocks know, what
 * samples know. */
void totals_find(struct model *model, const struct regions *regions);

#endif
