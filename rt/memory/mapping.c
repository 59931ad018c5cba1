/* SPDX-License-Identifier: MIT */
/* mapping.c: books memory that the program maps and unmaps by mmap, mremap and munmap, in whole pages, by callsite.
 * What the C library, the loader and the allocator map for themselves is not seen, and neither are direct system calls.
 *
 * A range is removed from our tree before the kernel unmaps it, because another thread may get the addresses at once.
 * If the kernel refuses, the range is put back. A new range is added after it was mapped. So no lock is held while the
 * kernel works. */
#define _GNU_SOURCE
#include "memory/range.h"
#include "memory/account.h"
#include "memory/touch.h"
#include "operation/operation.h"
#include "stack/callsite.h"
#include "stack/modules.h"
#include "system/behind.h"
#include "system/clock.h"
#include "system/lock.h"
#include "system/state.h"
#include "system/syscall.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnu/libc-version.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#pragma weak dlsym /* absent in a fully static program */

#ifndef MREMAP_DONTUNMAP
#define MREMAP_DONTUNMAP 4
#endif
#define HUGE_BITS 21 /* page size of MAP_HUGETLB that names none */

/* In a range's callsite: it is private memory without a file, which this process mapped, so each page that is resident
 * was touched since. */
#define FRESH 0x80000000u

static struct {
    void *(*mmap)(void *, size_t, int, int, int, off_t);
    int (*munmap)(void *, size_t);
    void *(*mremap)(void *, size_t, size_t, int, ...);
} next;
static _Atomic int resolving; /* thread that is in resolve() */
static bool recording;
static uint32_t fresh_process; /* a fork's child has touched nothing of its parent's */
/* The start of another allocator's image, if it contains no code of the user's: its mappings are not booked. Otherwise
 * 0. */
static uint64_t allocator_low;

/* False: the next function is not known, so make the system call. */
static bool resolve(void)
{
    if (PP_LIKELY(atomic_load_explicit((_Atomic(void *) *)&next.mmap, memory_order_acquire) != NULL))
        return true;
    if (!dlsym || pp_is_static())
        return false;
    int self = (int)gettid(), kept = errno;
    if (atomic_load_explicit(&resolving, memory_order_relaxed) == self)
        return false;
    atomic_store_explicit(&resolving, self, memory_order_relaxed); /* two threads may both do it: they find the same */
    next.munmap = (int (*)(void *, size_t))pp_behind("munmap");
    next.mremap = (void *(*)(void *, size_t, size_t, int, ...))pp_behind("mremap");
    void *found = next.munmap && next.mremap ? pp_behind("mmap") : NULL;
    /* stored last, because the test above relies on it */
    atomic_store_explicit((_Atomic(void *) *)&next.mmap, found, memory_order_release);
    atomic_store_explicit(&resolving, 0, memory_order_relaxed);
    errno = kept;
    return found != NULL;
}

/* Of the time in the kernel, which is booked unless the call is an allocator's. */
static void time_begin(struct pp_call *call, const void *caller)
{
    call->records = false;
    if (PP_RECORDS(PP_OPERATIONS_IO) && !IN_BACKEND && !(allocator_low && pp_callsite_foreign(caller, allocator_low)))
        pp_call_begin_work(call, PP_COLLECTOR_IO, PP_OPERATION_MEMORY, caller, 0);
}

static void *next_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset, const void *caller)
{
    struct pp_call call;
    void *result;
    time_begin(&call, caller);
    result = resolve() ? next.mmap(at, bytes, protection, flags, fd, offset)
                       : (void *)syscall(SYS_mmap, at, bytes, (long)protection, (long)flags, (long)fd, offset);
    pp_call_end_work(&call, PP_OPERATION_MEMORY, caller, result == MAP_FAILED, 0);
    return result;
}

static int next_munmap(void *at, size_t bytes, const void *caller)
{
    struct pp_call call;
    int result;
    time_begin(&call, caller);
    result = resolve() ? next.munmap(at, bytes) : (int)syscall(SYS_munmap, at, bytes);
    pp_call_end_work(&call, PP_OPERATION_MEMORY, caller, result, 0);
    return result;
}

static void *next_mremap(void *at, size_t old, size_t bytes, int flags, void *to, const void *caller)
{
    struct pp_call call;
    void *result;
    time_begin(&call, caller);
    result = resolve() ? next.mremap(at, old, bytes, flags, to)
                       : (void *)syscall(SYS_mremap, at, old, bytes, (long)flags, to);
    pp_call_end_work(&call, PP_OPERATION_MEMORY, caller, result == MAP_FAILED, 0);
    return result;
}

/* ---- booking ---- */

/* Whether this call is to be booked. A child that came without the C library's fork shares its parent's sums. */
static bool booked(const void *caller)
{
    if (PP_LIKELY(!recording) || IN_BACKEND || !*pp_fork_generation ||
        atomic_load_explicit(&pp_file_is_lost, memory_order_relaxed))
        return false;
    if (allocator_low && pp_callsite_foreign(caller, allocator_low))
        return false;
    if (!RUNTIME_AT_WORK && !pp_forbids(PP_FORBIDDEN_CORE))
        return true;
    pp_loss(PP_LOSS_MAPPINGS, 1); /* no lock can be taken: between our handlers of a fork, or in a sandbox */
    return false;
}

static uint64_t whole(uint64_t bytes, unsigned bits)
{
    uint64_t page = bits ? UINT64_C(1) << bits : pp_run.page_bytes;
    return (bytes + page - 1) & ~(page - 1);
}

/* What was removed from the tree. A single range is kept as a copy, so that dropping it needs no lock. */
struct old {
    struct range one; /* high 0: there is none */
    struct range *some;
    uint64_t touched_bytes; /* of `one` */
};

static uint64_t touched(const struct range *r)
{
    static _Atomic uint64_t state; /* a Weyl sequence is random enough to choose by */
    bool shared;
    if (!(r->callsite & FRESH))
        return 0;
    uint64_t random = atomic_fetch_add_explicit(&state, UINT64_C(0x9e3779b97f4a7c15), memory_order_relaxed) >> 32,
             size = r->high - r->low;
    const struct pp_block *b = block_of(booking_thread(), r->callsite & ~FRESH, &shared);
    struct pp_touch touch = pp_touch_draw(size, b ? b->alloc_blocks : 0, random);
    touch.process = (uint16_t)fresh_process;
    return pp_touch_end(&touch, (void *)(uintptr_t)r->low, size);
}

static struct old old_take(void *at, uint64_t bytes)
{
    struct old old = { .some = NULL };
    sigset_t saved;
    uint64_t low = (uint64_t)(uintptr_t)at;
    if (low & (pp_run.page_bytes - 1) || !bytes || low + bytes < low)
        return old; /* the kernel will refuse it */
    pp_lock(&saved);
    old.some = ranges_take(low, low + bytes);
    if (old.some && !old.some->left && !old.some->right) {
        old.one = *old.some;
        range_drop(old.some);
        old.some = NULL;
    }
    pp_unlock(&saved);
    if (old.one.high)
        old.touched_bytes = touched(&old.one);
    return old;
}

static void old_restore(const struct old *old)
{
    sigset_t saved;
    if (!old->one.high && !old->some)
        return;
    pp_lock(&saved);
    if (old->one.high && !ranges_add(old->one.low, old->one.high, old->one.callsite))
        pp_loss(PP_LOSS_MAPPINGS, 1);
    if (old->some)
        ranges_put(old->some, old->some->low);
    pp_unlock(&saved);
}

static void unmap_book(struct pp_thread *thread, const struct range *r, uint64_t touched_bytes)
{
    bool shared;
    struct pp_block *b = block_of(thread, r->callsite & ~FRESH, &shared);
    if (thread)
        word_add(&pp_private(thread)->mapping.unmap_bytes, r->high - r->low);
    if (b) {
        block_add(shared, &b->free_bytes, r->high - r->low);
        block_add(shared, &b->touched_bytes, touched_bytes);
    }
}

/* Under the lock. */
static void unmap_book_all(struct pp_thread *thread, struct range *some)
{
    for (struct range *r; (r = ranges_pop(&some)) != NULL; range_drop(r))
        unmap_book(thread, r, 0);
}

static void old_book(const struct old *old)
{
    sigset_t saved;
    if (old->one.high)
        unmap_book(booking_thread(), &old->one, old->touched_bytes);
    if (!old->some)
        return;
    pp_lock(&saved);
    unmap_book_all(booking_thread(), old->some);
    pp_unlock(&saved);
}

/* Books a new mapping. Ranges that are still known at these addresses were unmapped without us. */
static void new_book(void *at, uint64_t bytes, bool fresh, const void *caller)
{
    struct pp_thread *thread = booking_thread();
    uint64_t low = (uint64_t)(uintptr_t)at;
    sigset_t saved;
    bool shared;
    uint32_t callsite = pp_callsite_of_mapping(caller);
    pp_lock(&saved);
    unmap_book_all(thread, ranges_take(low, low + bytes));
    if (!callsite || !ranges_add(low, low + bytes, callsite | (fresh ? FRESH : 0))) {
        pp_loss(PP_LOSS_MAPPINGS, 1); /* its unmapping is not counted either */
    } else {
        struct pp_block *b = block_of(thread, callsite, &shared);
        if (thread) {
            word_add(&pp_private(thread)->mapping.map_bytes, bytes);
            word_add(&pp_private(thread)->mapping.maps, 1);
        }
        if (b) {
            block_add(shared, &b->alloc_bytes, bytes);
            block_add(shared, &b->alloc_blocks, 1);
        }
    }
    pp_unlock(&saved);
}

/* Adds to our own cost what the call took without the kernel's part, which was from `asked` to `answered`. */
static void cost_book(uint64_t begun, uint64_t asked, uint64_t answered)
{
    struct pp_thread *thread = booking_thread();
    if (thread)
        pp_private(thread)->self_ns += asked - begun + pp_now_ns() - answered;
}

/* ---- the wrapped functions ---- */

#define CALLER __builtin_return_address(0)
static void *mapping_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    if (!booked(CALLER))
        return next_mmap(at, bytes, protection, flags, fd, offset, CALLER);
    uint64_t begun = pp_now_ns();
    unsigned bits = flags & MAP_HUGETLB ? (unsigned)flags >> MAP_HUGE_SHIFT & MAP_HUGE_MASK : 0;
    uint64_t room = whole(bytes, flags & MAP_HUGETLB && !bits ? HUGE_BITS : bits);
    bool over = flags & MAP_FIXED && (flags & MAP_FIXED_NOREPLACE) != MAP_FIXED_NOREPLACE;
    struct old old = over ? old_take(at, room) : (struct old){ .some = NULL };
    uint64_t asked = pp_now_ns();
    void *result = next_mmap(at, bytes, protection, flags, fd, offset, CALLER);
    int kept = errno;
    uint64_t answered = pp_now_ns();
    if (result == MAP_FAILED) {
        old_restore(&old);
    } else {
        old_book(&old);
        bool filled = flags & (MAP_POPULATE | MAP_LOCKED);
        new_book(result, room, flags & MAP_PRIVATE && flags & MAP_ANONYMOUS && !filled, CALLER);
    }
    cost_book(begun, asked, answered);
    errno = kept;
    return result;
}

static int mapping_munmap(void *at, size_t bytes)
{
    if (!booked(CALLER))
        return next_munmap(at, bytes, CALLER);
    uint64_t begun = pp_now_ns();
    struct old old = old_take(at, whole(bytes, 0));
    uint64_t asked = pp_now_ns();
    int result = next_munmap(at, bytes, CALLER), kept = errno;
    uint64_t answered = pp_now_ns();
    if (result) {
        old_restore(&old);
    } else {
        struct pp_thread *thread = booking_thread();
        if (thread)
            word_add(&pp_private(thread)->mapping.unmaps, 1);
        old_book(&old);
    }
    cost_book(begun, asked, answered);
    errno = kept;
    return result;
}

static void *mapping_mremap(void *at, size_t old_bytes, size_t bytes, int flags, ...)
{
    void *to = NULL;
    if (flags & (MREMAP_FIXED | MREMAP_DONTUNMAP)) {
        va_list list;
        va_start(list, flags);
        to = va_arg(list, void *);
        va_end(list);
    }
    if (!booked(CALLER))
        return next_mremap(at, old_bytes, bytes, flags, to, CALLER);
    uint64_t begun = pp_now_ns();
    struct old none = { .some = NULL }, old = flags & MREMAP_DONTUNMAP ? none : old_take(at, whole(old_bytes, 0));
    struct old over = flags & MREMAP_FIXED ? old_take(to, whole(bytes, 0)) : none;
    uint64_t asked = pp_now_ns();
    void *result = next_mremap(at, old_bytes, bytes, flags, to, CALLER);
    int kept = errno;
    uint64_t answered = pp_now_ns();
    if (result == MAP_FAILED) {
        old_restore(&over);
        old_restore(&old);
    } else {
        old_book(&over);
        old_book(&old);
        new_book(result, whole(bytes, 0), false, CALLER);
    }
    cost_book(begun, asked, answered);
    errno = kept;
    return result;
}

PP_WRAPPER __attribute__((alias("mapping_mmap"))) void *mmap(void *at, size_t bytes, int protection, int flags, int fd,
                                                             off_t offset);
PP_WRAPPER __attribute__((alias("mapping_mmap"))) void *mmap64(void *at, size_t bytes, int protection, int flags,
                                                               int fd, off64_t offset);
PP_WRAPPER __attribute__((alias("mapping_munmap"))) int munmap(void *at, size_t bytes);
PP_WRAPPER __attribute__((alias("mapping_mremap"))) void *mremap(void *at, size_t old_bytes, size_t bytes, int flags,
                                                                 ...);

/* Under the lock. */
static void live_touched(const struct range *r)
{
    bool shared;
    if (!r)
        return;
    live_touched(r->left);
    live_touched(r->right);
    struct pp_block *b = r->callsite & FRESH ? block_of(booking_thread(), r->callsite & ~FRESH, &shared) : NULL;
    if (b)
        block_add(shared, &b->touched_bytes, touched(r));
}

void pp_mapping_end(void)
{
    sigset_t saved;
    if (!recording || RUNTIME_AT_WORK || pp_forbids(PP_FORBIDDEN_CORE))
        return;
    pp_lock(&saved);
    live_touched(ranges);
    fresh_process = 0; /* their unmapping books nothing more */
    pp_unlock(&saved);
}

/* ---- the source ---- */

void *(*pp_malloc_named(void))(size_t) { return malloc; }

static void mapping_start(void)
{
    void *(*volatile effective)(void *, size_t, int, int, int, off_t) = mmap; /* what the process calls by that name */
    if (effective != mapping_mmap)
        return;
    void *allocate = pp_behind("malloc");
    uint64_t low = allocate ? pp_image_low(allocate) : 0,
             library = low ? pp_image_low((void *)gnu_get_libc_version) : 0;
    if (library && low != library)
        allocator_low = low;
    pp_run.header->metrics_measured |= pp_source_mapping.metrics;
    atomic_thread_fence(memory_order_release);
    fresh_process = pp_run.header->pid;
    recording = true;
}

static void mapping_read(struct pp_thread *thread, uint64_t *values)
{
    _Static_assert(PP_METRIC_UNMAPS - PP_METRIC_MAP_BYTES == 3, "mapping is in the order of the metrics");
    memcpy(&values[PP_METRIC_MAP_BYTES], &pp_private(thread)->mapping, sizeof pp_private(thread)->mapping);
}

const struct pp_metric_source pp_source_mapping = {
    .name = "mapping",
    .collector = PP_COLLECTOR_MEMORY,
    .metrics = 1u << PP_METRIC_MAP_BYTES | 1u << PP_METRIC_MAPS | 1u << PP_METRIC_UNMAP_BYTES | 1u << PP_METRIC_UNMAPS,
    .start = mapping_start,
    .read = mapping_read,
};
