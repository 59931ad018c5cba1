/* SPDX-License-Identifier: MIT */
/* sites.h: what the plugin described, and how often it was called: SITES and COUNTERS extents. */
#ifndef PROFPLUG_SITES_H
#define PROFPLUG_SITES_H

#include "read/extent.h"

/* The key of a slot of an object; the slots count down from its last key. */
uint32_t slot_key(uint32_t last_key, uint32_t slot);

bool sites_take(struct cursor *c, const struct extent *e, struct profile *p);
bool counters_take(struct cursor *c, const struct extent *e, struct profile *p);
/* After all sites and counters: a counter gets the key of its site. */
void counters_settle(struct profile *p);

#endif
