/* SPDX-License-Identifier: MIT */
/* crew.h: threads that one line starts and the first thread waits for. For the rules of threads. */
#ifndef PROFPLUG_ADVICE_CREW_H
#define PROFPLUG_ADVICE_CREW_H

#include "advice/advice.h"

struct crew {
    const struct advice_use *start; /* where they are started */
    const struct advice_use *join;  /* where the first thread waits for most of them */
    double threads, cpus;           /* cpus: 2 if it is not known */
    double lost, cpu_ns;            /* of the threads: so many could not be recorded; what all of them computed */
    double joined_ns;               /* how long it waited there */
};

/* False: no single line starts all threads but the first, or nothing waits for them. */
bool crew_find(const struct advice *advice, struct crew *crew);

/* Where the threads share out what they do: the line of their first function below which most of it is. MODEL_NONE: not
 * known. */
uint32_t crew_line(const struct advice *advice);
/* The same for the kind of this thread. */
uint32_t crew_line_of(const struct advice *advice, uint32_t thread);

#endif
