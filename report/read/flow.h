/* SPDX-License-Identifier: MIT */
/* flow.h: flow graphs of functions from LINES extents, and where their counters are. See profplug/abi/line.h. */
#ifndef PROFPLUG_FLOW_H
#define PROFPLUG_FLOW_H

#include "read/extent.h"

bool lines_take(struct cursor *c, const struct extent *e, struct profile *p);
bool hits_take(struct cursor *c, const struct extent *e, struct profile *p);

/* Reads the payload of one record. False if it is malformed. Its memory is the arena's. */
bool flow_read(struct arena *arena, struct profile_flow *flow, const unsigned char *payload, uint64_t bytes);

#endif
