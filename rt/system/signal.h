/* SPDX-License-Identifier: MIT */
/* signal.h: blocks all signals of a thread for a moment. */
#ifndef PP_SIGNAL_H
#define PP_SIGNAL_H

#include "rt.h"

#define PP_SIGNALS_BYTES 8u /* of a signal mask, as the kernel takes it */

/* Blocks and restores every signal of this thread without the C library's bookkeeping. */
void pp_signals_block(sigset_t *saved);
void pp_signals_restore(const sigset_t *saved);
void pp_signals_leave_open(int number); /* of those that pp_signals_block blocks */
void pp_signals_forget(
    uint64_t *mask); /* a slow path is aborted: the mask that it would have restored goes into *mask */

#endif
