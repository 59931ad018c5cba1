/* SPDX-License-Identifier: MIT */
/* callsite.h: the places in the user's code at which blocks of the heap are asked for or memory is mapped, by number; and what was got and given back at each. It
 * must not know how a block's size is found again. Everything here may be called in a signal's handler. */
#ifndef PP_CALLSITE_H
#define PP_CALLSITE_H

#include "rt.h"

#define PP_CALLSITE_BITS 16                 /* numbers are below 1 << PP_CALLSITE_BITS */
#define PP_CALLERS (1u << 16)

struct pp_caller { _Atomic uint64_t address; _Atomic uint64_t number; };    /* number 0: not known (yet) */
extern struct pp_caller *pp_callers __attribute__((visibility("hidden")));

/* Once; false: there is no room. */
bool pp_callsites_start(void);

/* The point of a call that returns to `caller`, the caller of one of our wrappers. */
uint32_t pp_callsite_find(const void *caller, enum pp_callsite_kind kind);
/* Of a mapping, and never 0 while there is room. */
uint32_t pp_callsite_of_mapping(const void *caller);
/* Of others but blocks; 0 where there is no room. */
uint32_t pp_callsite_of_kind(const void *caller, enum pp_callsite_kind kind);
/* Whether the caller lies in the image that begins at `low`, and nothing of that is instrumented. */
bool pp_callsite_foreign(const void *caller, uint64_t low);
static inline uint32_t pp_caller_hash(uint64_t address) { return (uint32_t)(address * UINT64_C(0x9e3779b97f4a7c15) >> 48); }
static inline uint32_t pp_callsite_of(const void *caller)
{
    struct pp_caller *c = &pp_callers[pp_caller_hash((uint64_t)(uintptr_t)caller)];
    uint64_t number;
    if (PP_LIKELY(atomic_load_explicit(&c->address, memory_order_relaxed) == (uint64_t)(uintptr_t)caller &&
                  (number = atomic_load_explicit(&c->number, memory_order_acquire)) != 0))             /* partner: caller_keep */
        return (uint32_t)number;
    return pp_callsite_find(caller, PP_CALLSITE_BLOCKS);
}

/* Whether that is known for good. */
static inline bool pp_callsite_is_fixed(const void *caller)
{
    struct pp_caller *c = &pp_callers[pp_caller_hash((uint64_t)(uintptr_t)caller)];
    return atomic_load_explicit(&c->address, memory_order_relaxed) == (uint64_t)(uintptr_t)caller && atomic_load_explicit(&c->number, memory_order_relaxed) != 0;
}

/* The thread's numbers of a point; thread null, or without room: those of no thread, which *shared tells. Null: nowhere. The two words are
 * the thread's own: address and length of its array. */
struct pp_block *pp_block_find(struct pp_thread *thread, uint64_t *words, uint32_t number, bool *shared);

/* The heap's peak. A thread keeps the bytes that it got (below 0: gave back) in a word, and tells them once they are more than a step. `words`
 * gives each thread's array, as above: pp_private.heap from WORD_ARRAY on. */
extern int64_t pp_callsites_step __attribute__((visibility("hidden")));
static inline bool pp_callsites_due(uint64_t untold) { return (int64_t)untold > pp_callsites_step || (int64_t)untold < -pp_callsites_step; }
void pp_callsites_tell(int64_t bytes, unsigned array_word);
void pp_callsites_fork_child(void);         /* nothing lives that is the child's own */

#define PP_HEAP_ARRAY 4u                 /* of pp_private.heap: a thread's array of them */
/* And what the thread got and gave back: bytes, blocks, bytes, blocks. */
void pp_heap_sums(const uint64_t *heap, uint64_t sums[4]);
uint32_t pp_callsites_count(void);          /* numbers given out, the first is 0 */
bool pp_callsite_sum(uint32_t number, struct pp_block *sum);    /* of all threads; false: there is nothing. Async-signal-safe */

#endif
