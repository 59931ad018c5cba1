/* SPDX-License-Identifier: MIT */
/* sites.h: the sites that the plugin described, and how often they were called: SITES and COUNTERS extents. */
#ifndef PROFPLUG_SITES_H
#define PROFPLUG_SITES_H

#include "read/extent.h"

/* The key of a slot of an object; the slots count down from its last key. */
uint32_t slot_key(uint32_t last_key, uint32_t slot);

bool sites_take(struct cursor *c, const struct extent *e, struct profile *p);
bool counters_take(struct cursor *c, const struct extent *e, struct profile *p);
/* Call it after all sites and counters were read: each counter gets the key of its site. */
void counters_settle(struct profile *p);

#endif
