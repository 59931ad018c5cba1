/* SPDX-License-Identifier: MIT */
/* peak.h: the most heap that a thread holds while a stage is open. */
#ifndef PP_PEAK_H
#define PP_PEAK_H

#include "rt.h"

/* At the boundaries of a stage, in its thread; struct pp_metric_source says what the arguments are. */
void pp_peak_border(struct pp_thread *thread, struct pp_frame *frame, uint64_t *values, bool closes);

/* How often the program allocated and freed. A fork's child begins at 0. */
uint64_t pp_heap_calls(void);
void pp_heap_calls_restart(struct pp_thread *self);

#endif
