/* SPDX-License-Identifier: MIT */
/* wrap.c: the functions that the linker's --wrap=NAME redirects calls of the allocator to, in a static executable. No
 * other program is linked with this file. It must not know what is counted. */
#define _GNU_SOURCE
#include "memory/heap.h"
#include "memory/library.h"
#include <errno.h>
#include <string.h>

/* Weak, because a program may wrap some of them itself. */
#define WRAP __attribute__((weak))

WRAP void *__wrap_malloc(size_t size) { return pp_heap_malloc(size); }
void *pp_wrapped_malloc(size_t size) __attribute__((alias("__wrap_malloc")));
WRAP void *__wrap_calloc(size_t count, size_t size) { return pp_heap_calloc(count, size); }
WRAP void __wrap_free(void *block) { pp_heap_free(block); }
WRAP void *__wrap_realloc(void *block, size_t size) { return pp_heap_realloc(block, size); }
WRAP void *__wrap_memalign(size_t align, size_t size) { return pp_heap_memalign(align, size); }
WRAP void *__wrap_aligned_alloc(size_t align, size_t size) { return pp_heap_aligned_alloc(align, size); }
WRAP int __wrap_posix_memalign(void **result, size_t align, size_t size)
{
    return pp_heap_posix_memalign(result, align, size);
}
WRAP void *__wrap_valloc(size_t size) { return pp_heap_valloc(size); }
WRAP void *__wrap_pvalloc(size_t size) { return pp_heap_pvalloc(size); }

WRAP void *__wrap_reallocarray(void *block, size_t count, size_t size)
{
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes)) {
        errno = ENOMEM;
        return NULL;
    }
    return pp_heap_realloc(block, bytes);
}

/* These two are wrapped for the sake of their lines: the caller is the user's code, and in a static executable the C
 * library is not an image of its own. */
WRAP char *__wrap_strndup(const char *text, size_t most)
{
    size_t length = strnlen(text, most);
    char *copy = pp_heap_malloc(length + 1);
    if (!copy)
        return NULL;
    copy[length] = 0;
    return memcpy(copy, text, length);
}

WRAP char *__wrap_strdup(const char *text) { return __wrap_strndup(text, SIZE_MAX); }

/* Real definitions of these would link in functions that the program may not call (operation/operation.h,
 * thread/threadstart.c). A static executable need not ask them. */
WRAP bool __wrap_pp_sockets_are_ours(void) { return true; }
WRAP bool __wrap_pp_threads_are_ours(void) { return true; }
WRAP bool __wrap_pp_rwlocks_are_ours(void) { return true; }
WRAP bool __wrap_pp_scans_are_ours(void) { return true; }
WRAP bool __wrap_pp_works_are_ours(void) { return true; }
WRAP bool __wrap_pp_births_are_ours(void) { return true; }
WRAP void *__wrap_pp_behind(const char *name) { return (void)name, NULL; }
/* All calls within it are redirected. */
WRAP void __wrap_pp_library_follow(const uintptr_t *behind, const volatile uintptr_t *named, const uintptr_t *effective)
{
    (void)behind, (void)named, (void)effective;
}
