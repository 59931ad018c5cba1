/* SPDX-License-Identifier: MIT */
/* account.h: how heap.c, mapping.c and volume.c add to a thread's account and to the sums of a callsite. It must not
 * know who asks.
 *
 * What is stored in struct pp_heap_account: a thread holds the bytes that it allocated minus those that it freed. That
 * is negative if it frees other threads' blocks. `most_held` is the most that it held since the last stage boundary,
 * and `distance` is most_held minus what it holds now. So an allocation is one subtraction. A free checks whether
 * `distance` was negative, which means that most_held is too low. The bytes allocated are not stored: they are the
 * bytes held plus the bytes freed. Only pp_heap_sums turns this into the usual four sums. */
#ifndef PP_ACCOUNT_H
#define PP_ACCOUNT_H

#include "rt.h"
#include "stack/callsite.h"
#include "system/state.h"

static inline struct pp_heap_account *heap_account(struct pp_thread *thread)
{
    return &pp_private(thread)->heap;
}
static inline uint64_t account_held(const struct pp_heap_account *account)
{
    return account->most_held - account->distance;
}

/* Marks in the thread's words. */
/* The thread is inside the allocator behind ours: what that calls is not booked. */
#define IN_BACKEND (pp_tls()->nested)
#define RUNTIME_AT_WORK (pp_tls()->busy) /* the thread is inside the runtime */

/* Returns what the process calls by the name of malloc. It is in mapping.c, because heap.c defines a malloc, which may
 * not be the one in effect. */
void *(*pp_malloc_named(void))(size_t);

static inline struct pp_thread *booking_thread(void) { return (struct pp_thread *)(uintptr_t)pp_tls()->thread; }

/* Adds in one instruction if there is one, because a signal handler that interrupts may allocate, too. Inline assembly
 * also prevents the compiler from combining two additions in a vector, which is slow if it crosses a cache line. */
static inline void word_add(uint64_t *word, uint64_t number)
{
#ifdef __x86_64__
    __asm__("addq %1, %0" : "+m"(*word) : "er"(number) : "cc");
#else
    *(volatile uint64_t *)word += number;
#endif
}

static inline void word_take(uint64_t *word, uint64_t number)
{
#ifdef __x86_64__
    __asm__("subq %1, %0" : "+m"(*word) : "er"(number) : "cc");
#else
    *(volatile uint64_t *)word -= number;
#endif
}

/* The thread has held `more` bytes above most_held. In this order the account is also right for a handler between the
 * two additions. */
static inline void account_raise(struct pp_heap_account *account, uint64_t more)
{
    word_add(&account->distance, more);
    word_add(&account->most_held, more);
}

/* Returns the thread's sums of a callsite. `*shared`: they belong to no thread, so additions must be atomic. */
static inline struct pp_block *block_of(struct pp_thread *thread, uint32_t callsite, bool *shared)
{
    struct pp_heap_account *account = thread ? heap_account(thread) : NULL;
    *shared = false;
    if (PP_LIKELY(thread && callsite < account->sums.count))
        return (struct pp_block *)(uintptr_t)account->sums.address + callsite;
    return pp_block_find(thread, thread ? &account->sums : NULL, callsite, shared);
}

static inline void block_add(bool shared, uint64_t *word, uint64_t number)
{
    if (PP_UNLIKELY(shared))
        atomic_fetch_add_explicit((_Atomic uint64_t *)word, number, memory_order_relaxed);
    else
        word_add(word, number);
}

#endif
