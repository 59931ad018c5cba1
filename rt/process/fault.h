/* SPDX-License-Identifier: MIT */
/* fault.h: pages of the data file that are gone, and how a slow half is left then. */
#ifndef PP_FAULT_H
#define PP_FAULT_H

/* In a signal's handler: makes the interrupted context that of a slow half's caller, had that returned 0. Elsewhere it
 * goes on where it was. */
void pp_fault_leave(void *context);
void pp_fault_start(void);

#endif
