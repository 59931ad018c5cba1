/* SPDX-License-Identifier: MIT */
/* mallinfo.h: the C library's allocator at the end of the run. */
#ifndef PP_MALLINFO_H
#define PP_MALLINFO_H

#include "rt.h"

void pp_mallinfo_ask(struct pp_header *header); /* at the end, wherever in the program that comes */

#endif
