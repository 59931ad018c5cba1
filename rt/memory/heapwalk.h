/* SPDX-License-Identifier: MIT */
/* heapwalk.h: how the C library's main arena stands. */
#ifndef PP_HEAPWALK_H
#define PP_HEAPWALK_H

#include "rt.h"


struct pp_standing { uint64_t held, used, top; };        /* bytes; top: free at the end */
void pp_heapwalk_start(void);              /* once, when the heap is booked */
void pp_heapwalk_fork_child(void);
bool pp_heapwalk_known(void);              /* it can be looked at here */
bool pp_heapwalk_look(struct pp_thread *thread, struct pp_standing *standing);      /* own thread; false: not within the budget, or amid a change. Async-signal-safe */

#endif
