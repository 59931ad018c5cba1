/* SPDX-License-Identifier: MIT */
/* lock.h: the lock of the runtime, for rare structural changes. */
#ifndef PP_LOCK_H
#define PP_LOCK_H

#include "rt.h"

/* For registration, modules, places and the table of threads. All signals are blocked while the lock is held, so a
 * handler of the same thread cannot meet it. It is not recursive. Do not call the C library's allocator or stdio while
 * you hold it. */
void pp_lock(sigset_t *saved);
void pp_unlock(const sigset_t *saved);
void pp_lock_break(void);
void pp_lock_forget(void); /* in a fork's child: who held the lock is not in this process */

#endif
