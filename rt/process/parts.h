/* SPDX-License-Identifier: MIT */
/* parts.h: calls all parts of the runtime at the start, for new and ended threads, and after a fork, as parts.def
 * says. */
#ifndef PP_PARTS_H
#define PP_PARTS_H

#include "rt.h"

void pp_parts_start(void);
void pp_parts_birth(struct pp_thread *thread);
void pp_parts_death(struct pp_thread *thread);
void pp_parts_fork_child(struct pp_thread *self); /* NULL: the thread that forked has no block */

#endif
