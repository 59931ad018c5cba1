/* SPDX-License-Identifier: MIT */
/* backend.c: finds the allocator behind our malloc, and serves the few blocks that are asked for before it is found. */
#define _GNU_SOURCE
#include "memory/backend.h"
#include "rt.h"
#include "system/behind.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

struct pp_backend pp_backend;
static _Atomic int resolving; /* id of the thread that is in pp_backend_find */

/* ---- blocks before there is a backend ---- */

PP_FAR char pp_bootstrap[PP_BOOTSTRAP_BYTES] __attribute__((aligned(16)));
static _Atomic size_t bootstrap_used;

bool pp_bootstrap_is_used(void) { return atomic_load_explicit(&bootstrap_used, memory_order_relaxed) != 0; }

/* The size lies in the 8 bytes before the block. */
void *pp_bootstrap_get(size_t size, size_t align)
{
    if (align < 16)
        align = 16;
    if (size > PP_BOOTSTRAP_BYTES || align > PP_BOOTSTRAP_BYTES)
        return NULL;
    size_t room = (size + align + 31) & ~(size_t)15;
    size_t at = atomic_fetch_add_explicit(&bootstrap_used, room, memory_order_relaxed);
    if (at + room > PP_BOOTSTRAP_BYTES) {
        errno = ENOMEM;
        return NULL;
    }
    uintptr_t start = ((uintptr_t)pp_bootstrap + at + 16 + align - 1) & ~(align - 1);
    memcpy((char *)start - 8, &size, 8);
    return (void *)start;
}

size_t pp_bootstrap_size(const void *block)
{
    size_t size;
    memcpy(&size, (const char *)block - 8, 8);
    return size;
}

/* ---- the backend ---- */

#ifdef __GLIBC__
/* Strong on purpose: a static link that takes this in also takes in the C library's whole malloc, whose strong names
 * take precedence over our weak ones. Weak names of it may still be ours, and must then use the same heap. */
extern void *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t), *__libc_memalign(size_t, size_t);
extern void *__libc_valloc(size_t), *__libc_pvalloc(size_t);
extern void __libc_free(void *);

/* The C library has no second name for this one. */
static int posix_memalign_by_memalign(void **result, size_t align, size_t size)
{
    if (align % sizeof(void *) || !align || align & (align - 1))
        return EINVAL;
    int kept = errno;
    void *block = __libc_memalign(align, size);
    errno = kept;
    if (!block)
        return ENOMEM;
    *result = block;
    return 0;
}
#endif

bool pp_backend_find(void)
{
    int self = (int)gettid();
    if (atomic_load_explicit(&resolving, memory_order_relaxed) == self)
        return false;
    int kept = errno;
    atomic_store_explicit(&resolving, self, memory_order_relaxed); /* two threads may both do it: they find the same */
    void *found = pp_behind("malloc");
    if (found) {
        pp_backend.calloc = (void *(*)(size_t, size_t))pp_behind("calloc");
        pp_backend.realloc = (void *(*)(void *, size_t))pp_behind("realloc");
        pp_backend.free = (void (*)(void *))pp_behind("free");
        pp_backend.memalign = (void *(*)(size_t, size_t))pp_behind("memalign");
        pp_backend.aligned_alloc = (void *(*)(size_t, size_t))pp_behind("aligned_alloc");
        pp_backend.posix_memalign = (int (*)(void **, size_t, size_t))pp_behind("posix_memalign");
        pp_backend.valloc = (void *(*)(size_t))pp_behind("valloc");
        pp_backend.pvalloc = (void *(*)(size_t))pp_behind("pvalloc");
#ifdef __GLIBC__
    } else { /* a static executable */
        pp_backend.calloc = __libc_calloc;
        pp_backend.realloc = __libc_realloc;
        pp_backend.free = __libc_free;
        pp_backend.memalign = pp_backend.aligned_alloc = __libc_memalign;
        pp_backend.posix_memalign = posix_memalign_by_memalign;
        pp_backend.valloc = __libc_valloc;
        pp_backend.pvalloc = __libc_pvalloc;
        found = (void *)__libc_malloc;
#endif
    }
    /* Last, because the other functions are used once this is set. */
    atomic_store_explicit((_Atomic(void *) *)&pp_backend.malloc, found, memory_order_release);
    atomic_store_explicit(&resolving, 0, memory_order_relaxed);
    errno = kept;
    return found != NULL;
}
