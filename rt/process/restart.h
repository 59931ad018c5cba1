/* SPDX-License-Identifier: MIT */
/* restart.h: what a fork's child inherits starts from zero. */
#ifndef PP_RESTART_H
#define PP_RESTART_H

#include "rt.h"

/* In the child, with all signals blocked. `self` is its only thread's block, NULL where it has none. */
void pp_extents_restart(struct pp_thread *self);

#endif
