/* SPDX-License-Identifier: MIT */
/* number.h: numbers of the program's own. */
#ifndef PP_NUMBER_H
#define PP_NUMBER_H

#include "rt.h"


/* Books a value at the thread's innermost stage. Exact also where a handler books amid it. */
void pp_number_add(struct pp_thread *thread, struct profplug_number *number, int64_t value);
/* So many at that time, which is since the run began. */
void pp_windows_add(struct pp_windows *windows, uint64_t at_ns, uint64_t count);

#endif
