/* SPDX-License-Identifier: MIT */
/* sampler.h: samples of where threads are; called only while the collector samples is on. */
#ifndef PP_SAMPLER_H
#define PP_SAMPLER_H

#include "rt.h"


void pp_sampler_start(void);                         /* once, before the first birth; fills header.sample_* */
void pp_sampler_birth(struct pp_thread *thread);     /* in the thread, signals blocked */
void pp_sampler_death(struct pp_thread *thread);     /* in the thread, signals blocked: after it no sample of this thread may arrive */
void pp_sampler_stack(struct pp_thread *thread);     /* own thread, signals blocked: it has another alternate signal stack */
void pp_sampler_fork_child(struct pp_thread *thread);/* in the child, signals blocked; thread is its only one, null if it has no block */
void pp_sampler_check(struct pp_thread *thread);     /* own thread, now and then from a slow half: what the program may have undone */
void pp_sampler_confine(uint32_t forbidden);         /* a sandbox is about to forbid these calls: all threads go on without */
void pp_sampler_stop(void);                          /* at the seal: bring what is pending into the file; sampling may go on */

#endif
