/* SPDX-License-Identifier: MIT */
/* faulting.h: which places take a thread's page faults, by a perf event on them. It must not know what a sample is
 * of. */
#ifndef PP_FAULTING_H
#define PP_FAULTING_H

#include "rt.h"

/* All in the thread, async-signal-safe, unless it says otherwise. At its start; `number` is the signal's. */
void pp_faulting_begin(struct pp_thread *thread, int number);
/* A sample is over, and there were so many page faults since the last one: opens the event if that is worth it. Returns
 * the time that it took. */
uint64_t pp_faulting_turn(struct pp_thread *thread, int number, uint32_t faults);
/* Is that the descriptor of this thread's event, or of its last one? */
bool pp_faulting_owns(struct pp_thread *thread, int fd);
/* A signal of the event: how many faults it stands for. 0: the event is closed, or stands still. */
uint64_t pp_faulting_signal(struct pp_thread *thread);
/* Their place; NULL: not known. */
void pp_faulting_book(struct pp_thread *thread, struct pp_sample *row, uint64_t faults);
/* Between these two samples there were so many page faults. If the event counted, rows of faults at both places get
 * half of them in `unseen_ns`: what they would have by halves. `word`: see samplerow.h. */
void pp_faulting_halve(struct pp_thread *thread, uint64_t *word, const struct pp_sample *before,
                       const struct pp_sample *row, uint32_t faults);
/* By any thread: closes that one's event, if it has one. `inherited`: it is a parent's, and goes on there. */
void pp_faulting_close(uint32_t id, int number, bool inherited);

#endif
