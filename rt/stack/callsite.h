/* SPDX-License-Identifier: MIT */
/* callsite.h: numbers the callsites in the user's code that allocate blocks or map memory, and sums up what was
 * allocated and freed at each. It must not know how a freed block's callsite is found. All functions are
 * async-signal-safe. */
#ifndef PP_CALLSITE_H
#define PP_CALLSITE_H

#include "rt.h"

#define PP_CALLSITE_BITS 16 /* numbers are below 1 << PP_CALLSITE_BITS */
/* The tables of callsites at their largest. Where memory is limited to less, the program needs that room, and blocks
 * are booked at no line. */
#define PP_CALLSITES_BYTES (UINT64_C(1) << 20)

/* A cache from return addresses to numbers. A word is an address of 48 bits, and its number below it; 0: free. */
struct pp_callers {
    uint64_t mask;
    _Atomic uint64_t word[];
};
extern struct pp_callers *_Atomic pp_callers __attribute__((visibility("hidden")));

/* The callsite of a call that returns to `caller`, the caller of one of our wrappers; 0 if there is no room. */
uint32_t pp_callsite_find(const void *caller, enum pp_callsite_kind kind);
/* The same from the return address alone, for a call that another thread made: of one in a header or library it is not
 * known who called that. 0 also for NULL. */
uint32_t pp_callsite_at(const void *caller);
/* For a mapping: 0 only if there is no room at all. */
uint32_t pp_callsite_of_mapping(const void *caller);
/* For kinds other than blocks, by way of the cache; 0 if there is no room. */
uint32_t pp_callsite_of_kind(const void *caller, enum pp_callsite_kind kind);
/* Is the caller in the image that begins at `low`, and is nothing in that image instrumented? */
bool pp_callsite_foreign(const void *caller, uint64_t low);
/* Calls of the same code share pages. Few lie closer than eight bytes. */
static inline _Atomic uint64_t *pp_caller_at(struct pp_callers *callers, uint64_t address)
{
    return &callers->word[address >> 3 & callers->mask];
}
/* The number of a caller in the cache, which never changes. 0: it is not there. */
static inline uint32_t pp_callsite_kept(const void *caller)
{
    /* The partner of both is caller_keep. */
    struct pp_callers *callers = atomic_load_explicit(&pp_callers, memory_order_acquire);
    uint64_t address = (uint64_t)(uintptr_t)caller,
             word = atomic_load_explicit(pp_caller_at(callers, address), memory_order_acquire);
    return word >> PP_CALLSITE_BITS == address ? (uint32_t)(word & ((1u << PP_CALLSITE_BITS) - 1)) : 0;
}
static inline uint32_t pp_callsite_of(const void *caller)
{
    uint32_t number = pp_callsite_kept(caller);
    return PP_LIKELY(number) ? number : pp_callsite_find(caller, PP_CALLSITE_BLOCKS);
}

/* The thread's sums of a callsite. *shared: they are those of no thread, since `thread` is null, or there is no room
 * for its own. Null: there is no room for these either. `own`: the thread's array. */
struct pp_block *pp_block_find(struct pp_thread *thread, struct pp_sums *own, uint32_t number, bool *shared);

/* The heap's peak. A thread adds up the bytes that it allocated (less those that it freed), and reports them once they
 * exceed a step. */
extern int64_t pp_callsites_step __attribute__((visibility("hidden")));
static inline bool pp_callsites_due(uint64_t untold)
{
    return (int64_t)untold > pp_callsites_step || (int64_t)untold < -pp_callsites_step;
}
void pp_callsites_tell(int64_t bytes);
int64_t pp_callsites_live(void); /* bytes, as far as threads have told */
void pp_callsites_fork_child(void); /* the child itself has allocated nothing yet */

/* What the thread allocated and freed: bytes and blocks allocated, bytes and blocks freed. */
void pp_heap_sums(const struct pp_heap_account *account, uint64_t sums[4]);
uint32_t pp_callsites_count(void); /* numbers are below this */
/* Sums up a callsite over all threads. False: nothing was allocated or freed there. */
bool pp_callsite_sum(uint32_t number, struct pp_block *sum);

#endif
