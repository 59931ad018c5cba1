/* SPDX-License-Identifier: MIT */
/* restart.h: restarts from zero what a fork's child inherits. */
#ifndef PP_RESTART_H
#define PP_RESTART_H

#include "rt.h"

/* In the child, with all signals blocked, when the header is the child's own. `self` is its only thread's block, NULL
 * where it has none. */
void pp_threads_restart(struct pp_thread *self); /* blocks, extents, rows */
void pp_frames_restart(struct pp_thread *self);  /* open activations begin now */

#endif
