/* SPDX-License-Identifier: MIT */
/* snapshot.h: what there was when the program asked, taken out of a SNAPSHOT extent. */
#ifndef PROFPLUG_SNAPSHOT_H
#define PROFPLUG_SNAPSHOT_H

#include "read/extent.h"

bool snapshot_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
