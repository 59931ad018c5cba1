/* SPDX-License-Identifier: MIT */
/* sampler.h: samples where threads spend CPU time. Called only while the collector `samples` is on. */
#ifndef PP_SAMPLER_H
#define PP_SAMPLER_H

#include "rt.h"

/* Once, before the first thread is born; fills header.sample_*. */
void pp_sampler_start(void);
/* In the thread, signals blocked. */
void pp_sampler_birth(struct pp_thread *thread);
/* In the thread, signals blocked: no sample of this thread arrives afterwards. */
void pp_sampler_death(struct pp_thread *thread);
/* In the thread, signals blocked: it has a new alternate signal stack. */
void pp_sampler_stack(struct pp_thread *thread);
/* In the child, signals blocked. The thread is its only one, or null if that has no block. */
void pp_sampler_fork_child(struct pp_thread *thread);
/* In the thread, from time to time from a hook: restores the handler and the event, which the program may have
 * removed. */
void pp_sampler_check(struct pp_thread *thread);
/* In the thread, signals blocked, after some waits: a thread that takes turns with others goes to a timer. */
void pp_sampler_waited(struct pp_thread *thread);
/* A seccomp filter is about to forbid these calls (PP_FORBIDDEN_*): all threads must do without them. */
void pp_sampler_confine(uint32_t forbidden);
/* At the end of the run: writes what is pending to the file. Sampling may go on. */
void pp_sampler_stop(void);

#endif
