/* SPDX-License-Identifier: MIT */
/* stalls.h: waiting time by the calls that led to it: of functions and lines, including what they call. It must not
 * know how a place is named. */
#ifndef PROFPLUG_STALLS_H
#define PROFPLUG_STALLS_H

#include "merge/merge.h"

void stalls_merge(struct model *model, const struct profile_block *block, const uint32_t *path_of,
                  const uint32_t *node_of);

/* Call it after operations_sum, which knows the total waiting time, and after paths_descend. */
void stalls_sum(struct model *model, const struct locations *where);

#endif
