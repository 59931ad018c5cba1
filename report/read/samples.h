/* SPDX-License-Identifier: MIT */
/* samples.h: samples and waits of a thread, and the call paths that led to them: SAMPLES, BLOCKED and PATHS extents. */
#ifndef PROFPLUG_SAMPLES_H
#define PROFPLUG_SAMPLES_H

#include "read/extent.h"

bool samples_take(struct cursor *c, const struct extent *e, struct profile *p);
bool blocked_take(struct cursor *c, const struct extent *e, struct profile *p);
bool paths_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
