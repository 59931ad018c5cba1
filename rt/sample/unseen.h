/* SPDX-License-Identifier: MIT */
/* unseen.h: CPU time between two samples of a thread that no sample can see, because signals are raised in user code
 * only: the kernel's. It must not know what a sample is. */
#ifndef PROFPLUG_RT_UNSEEN_H
#define PROFPLUG_RT_UNSEEN_H

#include "rt.h"
#include <sys/resource.h>

/* All in the thread, async-signal-safe. When its sampling begins. interval_ns: see struct pp_unseen. usage: as for
 * pp_unseen_faults. */
void pp_unseen_begin(struct pp_thread *thread, const struct rusage *usage, uint64_t interval_ns);
/* At a sample: the thread's page faults since the last one. usage: its own; NULL: not known, which gives 0. */
uint32_t pp_unseen_faults(struct pp_thread *thread, const struct rusage *usage);
/* At a sample that stands for user_ns (0: not known): the thread's time in the kernel since the last one, 0 if not
 * known, and what was booked of its calls meanwhile. */
int64_t pp_unseen_take(struct pp_thread *thread, uint64_t user_ns, uint64_t *called_ns);
/* Adds them to a row of samples. */
void pp_unseen_fault(struct pp_sample *row, uint32_t faults);
/* A signal came and no sample is taken: of the time until the next one nothing is known. */
void pp_unseen_forget(struct pp_thread *thread);
/* The sample is over. handled_ns: how long that took. */
void pp_unseen_resume(struct pp_thread *thread, uint64_t handled_ns, uint64_t interval_ns);
/* Its sampling ends: what it did in the kernel after its last sample is that one's. user_ns: its user time since then,
 * where a timer raises the signals. usage: as for pp_unseen_faults. It stands for so many threads (newcomer.h). */
void pp_unseen_end(struct pp_thread *thread, const struct rusage *usage, uint64_t user_ns, uint64_t stands);

#endif
