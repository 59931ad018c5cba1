/* SPDX-License-Identifier: MIT */
/* memory.h: private memory of the runtime, and how much of it may be taken. */
#ifndef PP_MEMORY_H
#define PP_MEMORY_H

#include "rt.h"
#include <profplug/abi/total.h>

/* What the runtime's own variables take of that: .bss and .data of the archive, rounded up. */
#define PP_STATIC_BYTES (300u << 10)
/* Whether this much more fits into a limited address space (RLIMIT_AS, RLIMIT_DATA). If so, it counts as taken. */
bool pp_memory_fits(uint64_t bytes);
void pp_memory_give(uint64_t bytes); /* it was not taken after all */
/* Zeroed memory outside the file, which is never given back. NULL, and a counted loss: there is none. */
void *pp_memory(uint64_t bytes);

/* What is done once for each place is the profiler's cost. Begin returns 0 where its work is timed as a whole. */
uint64_t pp_once_begin(void);
void pp_once_end(uint64_t begun_ns);

#endif
