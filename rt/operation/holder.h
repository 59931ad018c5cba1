/* SPDX-License-Identifier: MIT */
/* holder.h: which line took a lock, for those that wait for it. It must not know how a lock is taken.
 *
 * Who takes a lock leaves the return address in a table by the lock's address, where it stays. A word of the table is
 * that address plus a hash of the lock's, so that it says nothing about another lock with the same row. While somebody
 * waits, the word's top bit is turned over: then it is not the one that the next to take the lock expects. */
#ifndef PP_HOLDER_H
#define PP_HOLDER_H

#include "operation/operation.h"

#define PP_HOLDERS 2048u
extern _Atomic uint64_t pp_holder[PP_HOLDERS] __attribute__((visibility("hidden")));

static inline uint64_t pp_lock_hash(const void *lock) { return (uint64_t)(uintptr_t)lock * 0x61c88647; }
/* Locks with the same row are 16 KiB apart, and then their hashes are farther apart than any code is long. */
static inline _Atomic uint64_t *pp_holder_row(const void *lock)
{
    return (_Atomic uint64_t *)(void *)((char *)pp_holder + ((uintptr_t)lock & (PP_HOLDERS - 1) * sizeof *pp_holder));
}

/* The lock was taken by the call that returns to `caller`. Returns 0. */
int pp_lock_taken(void *lock, bool is_mutex, const void *caller);

/* Whether the table says so already. */
static inline __attribute__((always_inline)) bool pp_holder_is(const void *lock, const void *caller)
{
    return atomic_load_explicit(pp_holder_row(lock), memory_order_relaxed) - (uint64_t)(uintptr_t)caller ==
           pp_lock_hash(lock);
}

/* As pp_wait_booked, of a call that takes the lock at `a` unless it fails. Books which lines it waited for. `what` has
 * PP_WAITS_FOR_MUTEX if it is a mutex. */
#define PP_WAITS_FOR_MUTEX (1u << 24)
int pp_lock_wait(long a, long b, long c, long d, uint32_t what, const void *caller);
#define PP_LOCK_WAIT_4(what, a, b, c, d, ...) pp_lock_wait((long)(a), (long)(b), (long)(c), (long)(d), what, PP_CALLER)
#define PP_LOCK_WAIT(name, is_mutex, ...) \
    PP_LOCK_WAIT_4(PP_WAIT_OF(name, LOCK, NOT_ZERO) | ((is_mutex) ? PP_WAITS_FOR_MUTEX : 0), __VA_ARGS__, 0, 0, 0)

void pp_holders_fork_child(struct pp_thread *self);

#endif
