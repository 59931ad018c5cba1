/* SPDX-License-Identifier: MIT */
/* bookings.h: operations on files and sockets and their waits, and how long targets took to answer: OPERATIONS and
 * ANSWERS extents. */
#ifndef PROFPLUG_BOOKINGS_H
#define PROFPLUG_BOOKINGS_H

#include "read/extent.h"

bool operations_take(struct cursor *c, const struct extent *e, struct profile *p);
bool answers_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
