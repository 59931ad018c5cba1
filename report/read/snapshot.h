/* SPDX-License-Identifier: MIT */
/* snapshot.h: snapshots that the program asked for: SNAPSHOT extents. */
#ifndef PROFPLUG_SNAPSHOT_H
#define PROFPLUG_SNAPSHOT_H

#include "read/extent.h"

bool snapshot_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
