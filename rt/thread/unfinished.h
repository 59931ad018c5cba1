/* SPDX-License-Identifier: MIT */
/* unfinished.h: the calls of a thread that have begun and not returned, in its block, where a reader finds them also
 * when the process is gone. Only the thread writes there, and handlers that interrupt it. It must not know what the
 * calls do.
 *
 * Control can leave a call without returning, by longjmp. Code that runs afterwards is not inside it. Code that a
 * signal handler runs may be: then the handler's frame lies between the two. */
#ifndef PP_UNFINISHED_H
#define PP_UNFINISHED_H

#include "rt.h"

static inline bool pp_unfinished_any(const struct pp_thread *thread)
{
    return thread->unfinished[0].call | thread->unfinished[1].call | thread->unfinished[2].call |
           thread->unfinished[3].call;
}
_Static_assert(PP_UNFINISHED == 4, "pp_unfinished_any looks at all");

/* Until `start_ns` is stored the place says nothing. `call` is stored first, so that a handler takes another one. */
static inline void pp_unfinished_take(struct pp_unfinished *u, const void *call)
{
    *(volatile uint64_t *)&u->call = (uint64_t)(uintptr_t)call;
    atomic_thread_fence(memory_order_release); /* partner: a reader; what follows is no more the last call's */
}

static inline void pp_unfinished_drop(struct pp_unfinished *u)
{
    atomic_store_explicit((_Atomic uint64_t *)&u->start_ns, 0, memory_order_relaxed);
    atomic_signal_fence(memory_order_seq_cst);
    *(volatile uint64_t *)&u->call = 0;
}

void pp_unfinished_clear(struct pp_thread *thread);
/* Own thread. Drops calls that were left, and books them as failed and as waits until now: those that lie deeper than
 * `stack_address` on its own stack; 0: all, as the thread runs code that interrupts none. See pp_walk_interrupted. */
void pp_unfinished_cut(struct pp_thread *thread, uint64_t stack_address);

#endif
