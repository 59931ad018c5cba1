/* SPDX-License-Identifier: MIT */
/* samplerow.h: the rows of the data file that hold a thread's samples and page faults by their place. It must not know
 * when and why a sample is taken. */
#ifndef PP_SAMPLEROW_H
#define PP_SAMPLEROW_H

#include "rt.h"

/* In the thread, async-signal-safe. The row for this place, new if there is none; NULL: no room, a loss of `weight`
 * samples. `faults`: PP_SAMPLE_FAULTS for a row of page faults, 0 for one of samples. `word`: of the thread, 0 at
 * first. */
struct pp_sample *pp_samplerow_get(struct pp_thread *thread, uint64_t *word, const struct pp_sample *place,
                                   uint32_t faults, uint64_t weight);

#endif
