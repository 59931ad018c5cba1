/* SPDX-License-Identifier: MIT */
/* heapbook.h: steps by which heap.c and heapsample.c book a block: in the account of its thread, and in the process's
 * sum of live bytes, by which the peak is noticed. It must not know which blocks are booked. */
#ifndef PP_HEAPBOOK_H
#define PP_HEAPBOOK_H

#include "memory/account.h"
#include "stack/callsite.h"

/* True: `distance` was negative before or is still negative, so most_held is too low. */
static inline bool account_lower(struct pp_heap_account *account, size_t size)
{
#ifdef __x86_64__
    __asm__ goto("addq %[size], %[distance]\n\tjc %l[passed]\n\tjs %l[passed]"
                 : [distance] "+m"(account->distance)
                 : [size] "er"(size)
                 : "cc"
                 : passed);
    return false;
passed:
    return true;
#else
    word_add(&account->distance, size);
    return account->distance < size || (int64_t)account->distance < 0;
#endif
}

/* Adds what the thread has not reported to the process's sum. It is seldom called once the heap has some size. If a
 * handler comes between, it adds our part, too, and the exchange subtracts it again. */
static __attribute__((noinline, unused)) void callsite_tell(struct pp_thread *thread, int64_t bytes)
{
    if (thread) {
        struct pp_heap_account *account = heap_account(thread);
        uint64_t held = account_held(account);
        bytes = (int64_t)(held - atomic_exchange_explicit((_Atomic uint64_t *)&account->told_bytes, held,
                                                          memory_order_relaxed));
    }
    pp_callsites_tell(bytes);
}

/* Call it after the account has been updated. */
static inline void callsite_grow(struct pp_thread *thread, int64_t bytes)
{
    const struct pp_heap_account *account = thread ? heap_account(thread) : NULL;
    if (PP_UNLIKELY(!account || pp_callsites_due(account_held(account) - account->told_bytes)))
        callsite_tell(thread, bytes);
}

#endif
