/* SPDX-License-Identifier: MIT */
/* nodes.h: a thread's call tree, and its open activations: NODES and FRAMES extents. */
#ifndef PROFPLUG_NODES_H
#define PROFPLUG_NODES_H

#include "read/extent.h"

bool nodes_take(struct cursor *c, const struct extent *e, struct profile *p);
bool frames_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
