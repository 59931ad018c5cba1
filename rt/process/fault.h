/* SPDX-License-Identifier: MIT */
/* fault.h: handles lost pages of the data file. */
#ifndef PP_FAULT_H
#define PP_FAULT_H

/* In a signal handler. If the signal interrupted a slow path, the context becomes that of its caller after a return of
 * 0. */
void pp_fault_leave(void *context);
void pp_fault_start(void);

#endif
