/* SPDX-License-Identifier: MIT */
/* volume.h: what the program copies or fills, and what its own allocators hand out. */
#ifndef PP_VOLUME_H
#define PP_VOLUME_H

#include "rt.h"

#define PP_FILLED (UINT64_C(1) << 63)
void pp_volume_copied(uint64_t bytes, const void *caller); /* PP_FILLED in `bytes`: filled, not copied */
void pp_volume_handed(uint64_t bytes, const void *caller);

#endif
