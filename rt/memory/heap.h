/* SPDX-License-Identifier: MIT */
/* heap.h: the wrapped malloc, and the account of what was allocated and freed. */
#ifndef PP_HEAP_H
#define PP_HEAP_H

#include "rt.h"

enum pp_heap_sum {
    PP_HEAP_ALLOC_BYTES,
    PP_HEAP_ALLOC_BLOCKS,
    PP_HEAP_FREE_BYTES,
    PP_HEAP_FREE_BLOCKS
}; /* places in pp_heap_sums */

void *pp_heap_malloc(size_t size); /* ours; the public names are aliases */
void *pp_heap_calloc(size_t count, size_t size);
void pp_heap_free(void *block);
void *pp_heap_realloc(void *block, size_t size);
void *pp_heap_memalign(size_t align, size_t size);
void *pp_heap_aligned_alloc(size_t align, size_t size);
int pp_heap_posix_memalign(void **result, size_t align, size_t size);
void *pp_heap_valloc(size_t size);
void *pp_heap_pvalloc(size_t size);
/* wrap.c, in a static executable the linker redirects calls of malloc to it. */
extern void *pp_wrapped_malloc(size_t size) __attribute__((weak));
bool pp_heap_is_untouched(void); /* nobody had asked for a block when recording began */
bool pp_heap_is_libc(void); /* the malloc behind ours is the C library's, as far as is known */
/* Does a booked block begin at that address, and is it not freed yet? With blocks=sampled true of any block.
 * Async-signal-safe. */
bool pp_heap_lives(uint64_t address);

#endif
