/* SPDX-License-Identifier: MIT */
/* pace.c: which calls of functions are timed: all, while they are rare or long; of others now and then one, so that what timing costs stays
 * within its part of the budget. It must not know how an activation is recorded.
 *
 * Calls that come `spacing` apart are all timed. Of a site whose calls come faster one in about `spacing` is; how many are left out is drawn at
 * random, so that it cannot keep step with the program. The spacing is a thread's, and grows while its timed calls cost more than they may. */
#define _GNU_SOURCE
#include "probe/pace.h"
#include "probe/frame.h"
#include "system/state.h"
#include "thread/thread.h"

#define LONG_NS 10000u                   /* a function that takes this long is always timed: that costs it 1 % */
#define MEAN_CALLS 8                     /* the mean forgets */
#define SPACING_LEAST_NS UINT64_C(10000)
#define SPACING_MOST_NS UINT64_C(100000000)
#define STEP_MOST 65536u
#define WINDOW_CALLS 256u
#define SHARE 4u                         /* of the budget is for this */
#define UNTIMED_STEP 256u                /* of calls that a timed one of the same function holds */

static void spacing_adapt(struct pp_private *p, uint64_t now)
{
    uint64_t elapsed = now - p->pace_since_ns, cost = WINDOW_CALLS * pp_costs.frame_ns * 1000;
    uint64_t share = elapsed * pp_run.header->budget_permille / SHARE;
    if (p->pace_since_ns && cost > share && p->spacing_ns < SPACING_MOST_NS)
        p->spacing_ns *= 2;
    else if (p->pace_since_ns && cost * 4 < share && p->spacing_ns > SPACING_LEAST_NS)
        p->spacing_ns /= 2;
    p->pace_since_ns = now;
    p->pace_calls = 0;
}

uint64_t pp_calls(const uint64_t *counter)
{
    uint64_t due, rest;
    do {
        due = __atomic_load_n(&counter[-1], __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        rest = __atomic_load_n(&counter[0], __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } while (__atomic_load_n(&counter[-1], __ATOMIC_RELAXED) != due);
    return rest + due;
}

/* Both words by one instruction: no signal, the last one neither, finds them apart. No lock: they are the thread's. */
void pp_calls_due(uint64_t *counter, uint64_t call)
{
#ifdef __x86_64__
    bool done = false;
    while (!done) {
        uint64_t calls = pp_calls(counter), due = __atomic_load_n(&counter[-1], __ATOMIC_RELAXED), rest = calls - due;
        __asm__ volatile("cmpxchg16b %0" : "+m"(*(struct { uint64_t word[2]; } *)&counter[-1]), "=@ccz"(done), "+a"(due), "+d"(rest) : "b"(call), "c"(calls - call) : "memory");
    }
#else
    __atomic_fetch_sub(&counter[0], call - __atomic_load_n(&counter[-1], __ATOMIC_RELAXED), __ATOMIC_RELAXED);
    __atomic_store_n(&counter[-1], call, __ATOMIC_RELAXED);
#endif
}

void pp_pace(struct pp_thread *thread, uint64_t *counter, uint64_t calls, struct pp_frame *frame)
{
    struct pp_private *p = pp_private(thread);
    if (!frame) {
        pp_calls_due(counter, pp_calls(counter) + 1 + pp_draw(p, UNTIMED_STEP));
        return;
    }
    if (calls > 1)
        pp_give_up_often(p, PP_GIVEN_FUNCTIONS, calls - 1);
    frame->metric[0] = calls;
    frame->metric[1] = (uint64_t)(uintptr_t)counter;
    frame->metric[2] = pp_calls(counter);
    uint64_t *last_ns = pp_node_word(pp_node_first((struct pp_node *)(uintptr_t)frame->node));
    uint64_t now = frame->start_ns, each = (now > *last_ns ? now - *last_ns : 0) / (calls ? calls : 1);
    *last_ns = now;
    if (!p->spacing_ns)
        p->spacing_ns = SPACING_LEAST_NS;
    if (++p->pace_calls == WINDOW_CALLS)
        spacing_adapt(p, now);
    uint64_t step = p->spacing_ns / (each ? each : 1);
    if (step > STEP_MOST)
        step = STEP_MOST;
    bool always = frame->metric[2] <= PP_TIMED_FIRST || !step || counter[-3] >= LONG_NS;
    pp_calls_due(counter, always ? 0 : frame->metric[2] + 1 + pp_draw(p, step));
}

uint64_t pp_pace_mean(const struct pp_frame *frame, uint64_t wall_ns)
{
    const uint64_t *counter = (const uint64_t *)(uintptr_t)frame->metric[1];
    return counter && counter[-3] ? counter[-3] : wall_ns;
}

void pp_pace_note(const struct pp_frame *frame, uint64_t wall_ns)
{
    uint64_t *counter = (uint64_t *)(uintptr_t)frame->metric[1];
    if (!counter)
        return;
    if (!counter[-3])
        counter[-3] = wall_ns;
    counter[-3] += (uint64_t)((int64_t)(wall_ns - counter[-3]) / MEAN_CALLS);
    if (counter[-3] >= LONG_NS)
        pp_calls_due(counter, 0);
}
