/* SPDX-License-Identifier: MIT */
/* stages.h: the stages of a thread, with their times: STAGES extents. */
#ifndef PROFPLUG_STAGES_H
#define PROFPLUG_STAGES_H

#include "read/extent.h"

bool stages_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
