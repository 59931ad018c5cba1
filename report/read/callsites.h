/* SPDX-License-Identifier: MIT */
/* callsites.h: calls in the user's code that have a number, and the memory booked at each: CALLSITES and BLOCKS
 * extents. */
#ifndef PROFPLUG_CALLSITES_H
#define PROFPLUG_CALLSITES_H

#include "read/extent.h"

bool callsites_take(struct cursor *c, const struct extent *e, struct profile *p);
bool blocks_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
