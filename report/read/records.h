/* SPDX-License-Identifier: MIT */
/* records.h: RECORDS extents: facts about the run in records of any length. */
#ifndef PROFPLUG_RECORDS_H
#define PROFPLUG_RECORDS_H

#include "read/extent.h"

bool records_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
