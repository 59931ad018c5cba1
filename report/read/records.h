/* SPDX-License-Identifier: MIT */
/* records.h: what is said once, in records of any length: RECORDS extents. */
#ifndef PROFPLUG_RECORDS_H
#define PROFPLUG_RECORDS_H

#include "read/extent.h"

bool records_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
