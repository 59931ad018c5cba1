/* SPDX-License-Identifier: MIT */
/* sites.h: the sites that the plugin described, and how often they were called: SITES and COUNTERS extents. */
#ifndef PROFPLUG_SITES_H
#define PROFPLUG_SITES_H

#include "read/extent.h"

/* The key of a slot of an object; the slots count down from its last key. */
uint32_t slot_key(uint32_t last_key, uint32_t slot);

bool sites_take(struct cursor *c, const struct extent *e, struct profile *p);
/* Call it after modules and sites were read. What objects of the executable have no table in the file, because they did
 * not run, is read from the executable, if that is here and is the same. */
void sites_complete(struct profile *p);
bool counters_take(struct cursor *c, const struct extent *e, struct profile *p);
/* Call it after all sites and counters were read: each counter gets the key of its site. */
void counters_settle(struct profile *p);

#endif
