/* SPDX-License-Identifier: MIT */
/* parts.h: all parts of the runtime start, meet threads and forks in the order of parts.def. */
#ifndef PP_PARTS_H
#define PP_PARTS_H

#include "rt.h"

void pp_parts_start(void);
void pp_parts_birth(struct pp_thread *thread);
void pp_parts_death(struct pp_thread *thread);
void pp_parts_fork_child(struct pp_thread *self); /* NULL: the thread that forked has no block */

#endif
