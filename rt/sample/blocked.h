/* SPDX-License-Identifier: MIT */
/* blocked.h: how long a thread waited in calls, and how long it ran in them, by the calls that led there. It must not
 * know what they do. */
#ifndef PP_STALL_H
#define PP_STALL_H

#include "rt.h"

void pp_blocked_book(struct pp_thread *thread, uint64_t key, uint64_t wait_ns, uint64_t weight);

enum pp_wait pp_wait_of(uint32_t kind); /* what operations of that kind wait for */

/* In the thread, after a call of that PP_OPERATION_KEY that waited so long and stands for `weight` calls. Not during a
 * fork or a thread's birth. */
static inline void pp_blocked(struct pp_thread *thread, uint64_t key, uint64_t wait_ns, uint64_t weight)
{
    if (PP_UNLIKELY(wait_ns && thread))
        pp_blocked_book(thread, key, wait_ns, weight);
}

void pp_busy_book(struct pp_thread *thread, uint32_t kind);

/* The same for the CPU time of calls. */
static inline void pp_busy(struct pp_thread *thread, uint32_t kind, uint64_t cpu_ns)
{
    if (PP_UNLIKELY(!thread))
        return;
    struct pp_blocked_state *s = &pp_private(thread)->busy;
    s->waited_ns += cpu_ns;
    if (PP_UNLIKELY(s->waited_ns >= s->due_ns))
        pp_busy_book(thread, kind);
}

#endif
