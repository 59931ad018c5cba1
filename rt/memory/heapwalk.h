/* SPDX-License-Identifier: MIT */
/* heapwalk.h: how many bytes the C library's main arena holds, uses and has free. */
#ifndef PP_HEAPWALK_H
#define PP_HEAPWALK_H

#include "rt.h"

struct pp_standing {
    uint64_t held, used, top;
};                            /* bytes; top: free at the arena's end */
void pp_heapwalk_start(void); /* once, when recording begins */
void pp_heapwalk_fork_child(void);
bool pp_heapwalk_known(void); /* the arena can be looked at here */
/* Own thread. False: not within the budget, or during a change. Async-signal-safe. */
bool pp_heapwalk_look(struct pp_thread *thread, struct pp_standing *standing);

#endif
