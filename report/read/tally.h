/* SPDX-License-Identifier: MIT */
/* tally.h: the program's own counts and gauges: TALLIES extents, and the records of their names. */
#ifndef PROFPLUG_TALLY_H
#define PROFPLUG_TALLY_H

#include "read/extent.h"

bool tallies_take(struct cursor *c, const struct extent *e, struct profile *p);

/* The payload of a PP_RECORD_NUMBER. */
bool number_take(struct cursor *c, struct profile *p, const unsigned char *payload, uint64_t size, uint64_t offset);

/* Checks that a stage's windows can be moved and added. */
bool windows_check(struct cursor *c, const struct pp_windows *windows, uint64_t offset);

#endif
