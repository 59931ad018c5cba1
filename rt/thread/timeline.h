/* SPDX-License-Identifier: MIT */
/* timeline.h: when things happened in a thread: stages and iterations that ended, waits, and values of counts and
 * gauges. The first, the slowest and the last are kept, in little room. It must not know what they mean. */
#ifndef PP_TIMELINE_H
#define PP_TIMELINE_H

#include "rt.h"

/* Something ended now that took `wall_ns`. The row's other words say what. `times`: for how many it stands. */
void pp_timeline_add(struct pp_thread *thread, enum pp_timeline_kind kind, struct pp_event event, uint64_t times);
/* Something has a value now. */
void pp_timeline_read(struct pp_thread *thread, uint32_t number, int64_t value);

#endif
