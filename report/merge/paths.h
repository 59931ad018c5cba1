/* SPDX-License-Identifier: MIT */
/* paths.h: call paths of samples and waits: from thread blocks into the model, and from there into the call tree. It
 * must not know times. */
#ifndef PROFPLUG_PATHS_H
#define PROFPLUG_PATHS_H

#include "merge/merge.h"

/* Maps the block's path numbers to paths of the model. The paths of all threads form one tree. `known` is kept from
 * block to block. */
uint32_t *paths_merge(struct model *model, struct map *known, const struct profile_block *block);

/* Moves each sample and each wait from the node that probes knew to the node that its path leads to. Missing nodes
 * are made. */
void paths_descend(struct model *model, const struct locations *where);

/* Whether the step is a function of the program: the plugin saw it, or its source line is known. */
bool paths_show(const struct model *model, const struct locate_step *step);

#endif
