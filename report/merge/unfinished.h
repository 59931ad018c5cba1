/* SPDX-License-Identifier: MIT */
/* unfinished.h: calls that had not returned when the run ended, or when it was looked at: as waits and as operations so
 * far. It must not know how a place is named. */
#ifndef PROFPLUG_UNFINISHED_H
#define PROFPLUG_UNFINISHED_H

#include "merge/merge.h"

/* Whether the block, by index, is that of the program's first thread. */
bool block_is_first(const struct profile *profile, uint32_t block);
/* As waits, with the callsite's number; before operations_settle. */
void unfinished_stalls(struct model *model, const struct profile *profile, const struct profile_block *block,
                       const uint32_t *path_of, const uint32_t *node_of);
/* As operations. stage_of and target_of: to the model's; targets above `most` are unknown. */
void unfinished_operations(struct model *model, const struct profile *profile, uint32_t *const *stage_of,
                           const uint32_t *target_of, uint32_t most);
/* Once lines are known, before rows are joined: which of them are idle. */
void unfinished_judge(struct model *model);

#endif
