/* SPDX-License-Identifier: MIT */
/* account.h: what a thread got and gave back, in its own words and by points: how heap.c and mapping.c add to both. It must not know who
 * asks. */
#ifndef PP_ACCOUNT_H
#define PP_ACCOUNT_H

#include "rt.h"
#include "stack/callsite.h"
#include "system/state.h"

/* pp_private.heap. What the thread holds, bytes got less given back (below 0 where it gives back others'), is HIGH less BELOW: HIGH is the most that it
 * held since the last border of a stage, but where BELOW is under 0, and it has gone on since. So getting a block is one subtraction, and only
 * giving one back has to look. ARRAY and LENGTH are pp_block_find's; LAST is the block that the thread got last, 0 once it has given it back; TOLD
 * what of its bytes was told. */
enum { WORD_BELOW, WORD_ALLOC_BLOCKS, WORD_FREE_BYTES, WORD_FREE_BLOCKS, WORD_ARRAY, WORD_LENGTH, WORD_LAST, WORD_TOLD, WORD_HIGH, WORD_TEMPORARY };
static inline uint64_t words_held(const uint64_t *word) { return word[WORD_HIGH] - word[WORD_BELOW]; }

/* mapping.c: what the process calls by the name of malloc. heap.c cannot ask: it defines one itself, which may not be the one. */
void *(*pp_malloc_named(void))(size_t);

static inline struct pp_thread *booking_thread(void) { return (struct pp_thread *)(uintptr_t)pp_tls()->thread; }

/* In one instruction where there is one: a signal handler that comes between may allocate, too. Two additions, and never joined in a
 * vector, which stalls where it crosses a cache line. */
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

static inline struct pp_block *block_of(struct pp_thread *thread, uint32_t point, bool *shared)
{
    uint64_t *words = thread ? &pp_private(thread)->heap[WORD_ARRAY] : NULL;
    *shared = false;
    if (PP_LIKELY(thread && point < words[1])) return (struct pp_block *)(uintptr_t)words[0] + point;
    return pp_block_find(thread, words, point, shared);
}

static inline void block_add(bool shared, uint64_t *word, uint64_t number)
{
    if (PP_UNLIKELY(shared)) atomic_fetch_add_explicit((_Atomic uint64_t *)word, number, memory_order_relaxed);
    else word_add(word, number);
}

#endif
