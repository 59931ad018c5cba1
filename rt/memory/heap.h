/* SPDX-License-Identifier: MIT */
/* heap.h: the wrapped allocator, and what was got and given back. */
#ifndef PP_HEAP_H
#define PP_HEAP_H

#include "rt.h"


void *pp_heap_malloc(size_t size);       /* ours, as its callers see it: what leads here is a jump */
void *pp_heap_calloc(size_t count, size_t size);
void pp_heap_free(void *block);
void *pp_heap_realloc(void *block, size_t size);
void *pp_heap_memalign(size_t align, size_t size);
void *pp_heap_aligned_alloc(size_t align, size_t size);
int pp_heap_posix_memalign(void **result, size_t align, size_t size);
void *pp_heap_valloc(size_t size);
void *pp_heap_pvalloc(size_t size);
extern void *pp_wrapped_malloc(size_t size) __attribute__((weak));      /* wrap.c, where the linker leads calls of malloc to it */
bool pp_heap_is_libc(void);              /* malloc is the C library's, as far as is known */
bool pp_heap_lives(uint64_t address);    /* a block that was booked begins there, and was not given back; async-signal-safe */

#endif
