/* SPDX-License-Identifier: MIT */
/* library.h: the C library's own calls of malloc, calloc, realloc and free, in this order. */
#ifndef PP_LIBRARY_H
#define PP_LIBRARY_H

#include <stdint.h>

/* They go where ours jump to. `behind`: the C library's functions. */
void pp_library_follow(const uintptr_t *behind, const volatile uintptr_t *named, const uintptr_t *effective);

#endif
