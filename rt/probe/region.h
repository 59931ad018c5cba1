/* SPDX-License-Identifier: MIT */
/* region.h: places of loops and scopes. */
#ifndef PP_REGION_H
#define PP_REGION_H

#include "rt.h"


uint32_t pp_region_key(struct profplug_place *place);

#endif
