/* SPDX-License-Identifier: MIT */
/* volume.h: copies, and what the program's own allocators hand out. */
#ifndef PP_VOLUME_H
#define PP_VOLUME_H

#include "rt.h"


#define PP_FILLED (UINT64_C(1) << 63)
void pp_volume_copied(uint64_t bytes, const void *caller);       /* PP_FILLED with them: filled */
void pp_volume_handed(uint64_t bytes, const void *caller);

#endif
