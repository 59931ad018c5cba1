/* SPDX-License-Identifier: MIT */
/* nests.h: how the steps of a nest of loops grow with its size, into the LOOP remarks of the model. */
#ifndef PROFPLUG_NESTS_H
#define PROFPLUG_NESTS_H

#include "merge/merge.h"

/* Call it before the remarks that name counters are taken off the model's list. */
void nests_merge(struct model *model, const struct profile *profile);

#endif
