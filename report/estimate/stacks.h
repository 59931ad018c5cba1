/* SPDX-License-Identifier: MIT */
/* stacks.h: builds the model's frames and stacks. Must not know the file's bytes, ELF, DWARF or output. */
#ifndef PROFPLUG_STACKS_H
#define PROFPLUG_STACKS_H

#include "estimate/region.h"
#include "merge/locations.h"

/* After the sums of waits and blocks; before regions_close. */
void stacks_build(struct model *model, const struct locations *where, const struct regions *regions);

#endif
