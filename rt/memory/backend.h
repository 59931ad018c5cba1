/* SPDX-License-Identifier: MIT */
/* backend.h: the allocator behind our malloc: the C library's, or one that is linked or preloaded. It must not know
 * what is booked. */
#ifndef PP_BACKEND_H
#define PP_BACKEND_H

#include <features.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct pp_backend {
    void *(*malloc)(size_t); /* NULL until the others are known, too */
    void *(*calloc)(size_t, size_t);
    void *(*realloc)(void *, size_t);
    void (*free)(void *);
    void *(*memalign)(size_t, size_t);
    void *(*aligned_alloc)(size_t, size_t);
    int (*posix_memalign)(void **, size_t, size_t);
    void *(*valloc)(size_t);
    void *(*pvalloc)(size_t);
};
extern struct pp_backend pp_backend __attribute__((visibility("hidden")));

/* Looks the functions up. False while this very thread is looking them up: dlsym may allocate. Keeps errno. */
bool pp_backend_find(void);

/* Blocks for dlsym's own needs, before there is a backend. They are never given back. */
void *pp_bootstrap_get(size_t size, size_t align);
#define PP_BOOTSTRAP_BYTES 16384
extern char pp_bootstrap[PP_BOOTSTRAP_BYTES] __attribute__((visibility("hidden")));
static inline bool pp_bootstrap_owns(const void *block)
{
    return (uintptr_t)block - (uintptr_t)pp_bootstrap < PP_BOOTSTRAP_BYTES;
}
size_t pp_bootstrap_size(const void *block);
bool pp_bootstrap_is_used(void);

#ifdef __GLIBC__
extern void *__libc_malloc(size_t);
#endif

#endif
