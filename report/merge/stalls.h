/* SPDX-License-Identifier: MIT */
/* stalls.h: what was waited, by the calls that led there: of functions and lines with what they call. Must not know how a place is named. */
#ifndef PROFPLUG_STALLS_H
#define PROFPLUG_STALLS_H

#include "merge/merge.h"

void stalls_merge(struct model *model, const struct profile_block *block, const uint32_t *path_of, const uint32_t *node_of);

/* After operations_sum, which knows how much was waited in all, and paths_descend. */
void stalls_sum(struct model *model, const struct locations *where);

#endif
