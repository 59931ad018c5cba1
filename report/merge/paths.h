/* SPDX-License-Identifier: MIT */
/* paths.h: the calls that samples and waits were reached by: from a profile's thread blocks into the model, and from there into the call tree. Must not
 * know times. */
#ifndef PROFPLUG_PATHS_H
#define PROFPLUG_PATHS_H

#include "merge/merge.h"

/* The model's path of each of the block's numbers; the paths of all threads are one tree. `known` is kept from block to block. */
uint32_t *paths_merge(struct model *model, struct map *known, const struct profile_block *block);

/* Moves each sample and each wait from the node that probes knew down to the one that its path leads to; what is not there is made. */
void paths_descend(struct model *model, const struct locations *where);

/* Whether a step stands for a function of the program: one that the plugin saw, or whose source line is known. */
bool paths_show(const struct model *model, const struct locate_step *step);

#endif
