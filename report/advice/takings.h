/* SPDX-License-Identifier: MIT */
/* takings.h: what taking and giving back locks costs in one function, and whether that, rather than what is done with
 * the lock held, is why threads wait. For the rules of locks. */
#ifndef PROFPLUG_ADVICE_TAKINGS_H
#define PROFPLUG_ADVICE_TAKINGS_H

#include "advice/library.h"

struct takings {
    double user_ns; /* CPU time in the functions that do it, without the kernel */
    double cpu_ns;  /* with the kernel, which makes threads wait and wakes them up */
    double wait_ns, waits;
    uint64_t samples;
    bool is_brief; /* the lock is held for short, and taken so often that threads meet at it */
};

struct takings takings_of(const struct advice *advice, const struct library_use *use, uint32_t function);

#endif
