/* SPDX-License-Identifier: MIT */
/* region.h: loops, scopes and regions begun by name. */
#ifndef PP_REGION_H
#define PP_REGION_H

#include "rt.h"

/* The key of a place, which it gets at its first use; 0: there is no room, which is counted. */
uint32_t pp_region_key(struct profplug_place *place);

#endif
