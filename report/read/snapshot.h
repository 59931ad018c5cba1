/* SPDX-License-Identifier: MIT */
/* snapshot.h: what was at some moment: snapshots that the program asked for, and the timelines of threads. SNAPSHOT and
 * TIMELINE extents. */
#ifndef PROFPLUG_SNAPSHOT_H
#define PROFPLUG_SNAPSHOT_H

#include "read/extent.h"

bool snapshot_take(struct cursor *c, const struct extent *e, struct profile *p);
bool events_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
