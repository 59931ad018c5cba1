/* SPDX-License-Identifier: MIT */
/* number.h: counts and gauges that the program reports. */
#ifndef PP_NUMBER_H
#define PP_NUMBER_H

#include "rt.h"

/* Books a value at the thread's innermost stage. Exact even if a signal handler books at the same time. */
void pp_number_add(struct pp_thread *thread, struct profplug_number *number, int64_t value);
/* Counts `count` events at a time, which is given since the run began. */
void pp_windows_add(struct pp_windows *windows, uint64_t at_ns, uint64_t count);

#endif
