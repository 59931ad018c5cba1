/* SPDX-License-Identifier: MIT */
/* newcomer.h: which new threads have a perf event from their birth. Opening one takes as long as some threads live. So
 * where threads live shortly one in several has an event, and its samples stand for those of the others, too. Once a
 * thread has run for PP_NEWCOMER_NS it is sampled for itself. A draw does not depend on what the thread will do, so its
 * samples are right in the mean. Ticks are not: on a busy machine threads begin with one, and end before the next. */
#ifndef PROFPLUG_RT_NEWCOMER_H
#define PROFPLUG_RT_NEWCOMER_H

#include "rt.h"
#include "metric/cpu.h"
#include "sample/unseen.h"
#include "system/state.h"
#include "thread/thread.h"

#define PP_NEWCOMER_NS UINT64_C(4000000) /* a tick of the kernel: a timer finds who has run for longer */
#define PP_NEWCOMER_ARMINGS 8u      /* opening and closing costs 6 of them, and may take 3/4 of the budget */
#define PP_NEWCOMER_LEAST_NS 127u   /* what it may cost each thread, however short, in parts of that */
#define PP_NEWCOMER_ARMING_NS 6000u /* assumed before it was measured */
#define PP_NEWCOMER_EVENTS 32u      /* of more threads one in two has a descriptor at first, then one in three */

/* How many new threads this one stands for; 0: it is not drawn. life_ns: CPU time of another that ended; 0: not known.
 * `random`: uniform. */
static inline uint64_t pp_newcomer_draw(uint64_t life_ns, uint64_t random)
{
    const struct pp_header *header = pp_run.header;
    uint64_t cost_ns = header->arming_ns ? header->arming_ns : PP_NEWCOMER_ARMING_NS,
             share_ns = (life_ns - 1) / 1024 * header->budget_permille / PP_NEWCOMER_ARMINGS,
             stands = 1 + cost_ns / (share_ns | PP_NEWCOMER_LEAST_NS) + pp_thread_count() / PP_NEWCOMER_EVENTS;
    return random % stands ? 0 : stands;
}

/* How many periods a signal stands for, with those of other new threads. *stands is what was drawn, and 1 once the
 * thread is no newcomer. A timer's signal then stands for what it ran since, if it was not drawn. */
static inline uint64_t pp_newcomer_weight(struct pp_thread *thread, uint64_t *stands, uint64_t weight,
                                          uint64_t period_ns)
{
    uint64_t drawn = *stands, cpu_ns, since;
    if (drawn == 1)
        return weight;
    cpu_ns = pp_cpu_own();
    if (!drawn)
        pp_unseen_forget(thread);
    if (cpu_ns < PP_NEWCOMER_NS)
        return weight * drawn;
    *stands = 1;
    since = (cpu_ns - PP_NEWCOMER_NS + period_ns / 2) / period_ns;
    return drawn || since > weight ? weight : since;
}

#endif
