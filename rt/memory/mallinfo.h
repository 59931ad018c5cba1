/* SPDX-License-Identifier: MIT */
/* mallinfo.h: how the allocator stands at the end. */
#ifndef PP_MALLINFO_H
#define PP_MALLINFO_H

#include "rt.h"


void pp_mallinfo_ask(struct pp_header *header);     /* at the end; wherever that comes */

#endif
