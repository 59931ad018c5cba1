/* SPDX-License-Identifier: MIT */
/* toll.h: what system calls of the runtime cost in wrapped calls. One in PP_TOLL_EVERY to twice as many is timed, for
 * itself and the others, since no sample sees the kernel's time. Which one is drawn at random, so that the choice
 * cannot keep step with the program. It must not know which calls those are. */
#ifndef PP_TOLL_H
#define PP_TOLL_H

#include "rt.h"
#include "system/clock.h"
#include "system/state.h"
#include "thread/thread.h"

#define PP_TOLL_EVERY 16u
#define PP_TOLL_MOST_NS UINT64_C(20000) /* a call that seems to take longer was preempted */

/* Returns when the call begins if it is timed, else 0. The first few are not, because they find everything cold. A
 * handler that interrupts may lose a turn, which is harmless. */
static inline uint64_t pp_toll_begin(void)
{
    struct pp_thread *thread = (struct pp_thread *)(uintptr_t)pp_tls()->thread;
    if (PP_UNLIKELY(!thread))
        return 0;
    struct pp_private *p = pp_private(thread);
    return ++p->calls < p->calls_due || p->calls < PP_TOLL_EVERY ? 0 : pp_now_ns();
}

static inline void pp_toll_end(uint64_t begun_ns)
{
    if (PP_LIKELY(!begun_ns))
        return;
    struct pp_private *p = pp_private((struct pp_thread *)(uintptr_t)pp_tls()->thread);
    uint64_t took_ns = pp_now_ns() - begun_ns;
    p->calls_ns += p->calls * (took_ns < PP_TOLL_MOST_NS ? took_ns : PP_TOLL_MOST_NS);
    p->calls = 0;
    p->calls_due = PP_TOLL_EVERY + pp_random(p) % PP_TOLL_EVERY;
}

#endif
