/* SPDX-License-Identifier: MIT */
/* pace.c: which calls of functions are timed: all while they are rare or long, else one now and then, so that timing
 * stays within its share of the budget. It must not know how an activation is recorded.
 *
 * If the calls of a site come at least `spacing` apart, or last as long, all are timed. If they come faster, about one
 * per `spacing` is. How many are skipped is drawn at random, so that the choice cannot keep step with the program. Each
 * thread has one spacing, which grows while its timed calls cost more than their share. */
#define _GNU_SOURCE
#include "probe/pace.h"
#include "probe/frame.h"
#include "system/state.h"
#include "thread/thread.h"

/* The least spacing: while it is so, a function that takes this long is timed at each call, */
#define LONG_NS UINT64_C(10000)
#define LONG_COSTS 100u /* if that costs it 1 % at most, also on a slow machine or under valgrind */
#define MEAN_CALLS 8     /* the mean decays over about this many calls */
#define MEAN_SETTLES 16u /* calls until which half the length that is long counts as long, since the mean may grow */
#define SPACING_MOST_NS UINT64_C(100000000)
#define STEP_MOST 65536u  /* calls between two timed ones */
#define WINDOW_CALLS 32u  /* timed calls after which the spacing is adapted */
#define SHARE 4u          /* timing functions may take a quarter of the budget */
#define COLD 3u           /* a timed call of a program takes so many times what it does in the loop that measures it */
#define UNTIMED_STEP 256u /* calls until the next look, inside a timed call of the same function */

static uint64_t long_ns(void)
{
    uint64_t least = LONG_COSTS * pp_costs.activation_ns;
    return least > LONG_NS ? least : LONG_NS;
}

/* The spacing may grow to 0.1 s. A function of this length is timed at each call all the same: that costs it 0.1 %. */
#define ALWAYS_NS UINT64_C(100000)

static bool is_long(const struct pp_private *p, uint64_t mean_ns)
{
    return mean_ns >= ALWAYS_NS || mean_ns >= p->spacing_ns;
}

/* Timing has a share of the time in which the thread does not wait. */
static void spacing_adapt(struct pp_private *p, uint64_t now)
{
    now -= p->stall.waited_ns;
    uint64_t elapsed = now - p->pace_since_ns, cost = WINDOW_CALLS * COLD * pp_costs.activation_ns * 1000;
    uint64_t share = elapsed * pp_run.header->budget_permille / SHARE;
    if (p->pace_since_ns && cost > share && p->spacing_ns < SPACING_MOST_NS)
        p->spacing_ns *= 2;
    else if (p->pace_since_ns && cost * 4 < share && p->spacing_ns > long_ns())
        p->spacing_ns /= 2;
    p->pace_since_ns = now;
    p->pace_calls = 0;
}

uint64_t pp_calls(const uint64_t *counter)
{
    uint64_t due, rest;
    do {
        due = __atomic_load_n(&counter[PP_FRAMED_DUE], __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        rest = __atomic_load_n(&counter[PP_FRAMED_REST], __ATOMIC_RELAXED);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
    } while (__atomic_load_n(&counter[PP_FRAMED_DUE], __ATOMIC_RELAXED) != due);
    return rest + due;
}

/* Changes both counters by one instruction. So no signal comes between the two, not even SIGKILL. The instruction needs
 * no lock prefix, since the counters are the thread's own. */
void pp_calls_due(uint64_t *counter, uint64_t call)
{
#ifdef __x86_64__
    bool done = false;
    while (!done) {
        uint64_t calls = pp_calls(counter), due = __atomic_load_n(&counter[PP_FRAMED_DUE], __ATOMIC_RELAXED);
        uint64_t rest = calls - due;
        __asm__ volatile("cmpxchg16b %0"
                         : "+m"(*(struct { uint64_t word[2]; } *)&counter[PP_FRAMED_DUE]), "=@ccz"(done), "+a"(due),
                           "+d"(rest)
                         : "b"(call), "c"(calls - call)
                         : "memory");
    }
#else
    __atomic_fetch_sub(&counter[PP_FRAMED_REST], call - __atomic_load_n(&counter[PP_FRAMED_DUE], __ATOMIC_RELAXED),
                       __ATOMIC_RELAXED);
    __atomic_store_n(&counter[PP_FRAMED_DUE], call, __ATOMIC_RELAXED);
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
    frame->metric[PP_CALL_COUNTER] = (uint64_t)(uintptr_t)counter;
    uint64_t reached = pp_calls(counter);
    uint64_t *last_ns = &pp_node_first((struct pp_node *)(uintptr_t)frame->node)->stage_or_timed_ns;
    uint64_t now = frame->start_ns, each = (now > *last_ns ? now - *last_ns : 0) / (calls ? calls : 1);
    *last_ns = now;
    if (!p->spacing_ns)
        p->spacing_ns = long_ns();
    if (++p->pace_calls == WINDOW_CALLS)
        spacing_adapt(p, now);
    uint64_t step = p->spacing_ns / (each ? each : 1);
    if (step > STEP_MOST)
        step = STEP_MOST;
    bool always = reached <= PP_TIMED_FIRST || !step ||
                  is_long(p, counter[PP_FRAMED_MEAN_NS] << (reached <= MEAN_SETTLES));
    pp_calls_due(counter, always ? 0 : reached + 1 + pp_draw(p, step));
}

void pp_pace_note(const struct pp_private *p, const struct pp_frame *frame, uint64_t wall_ns)
{
    uint64_t *counter = pp_frame_counter(frame);
    if (!counter)
        return;
    uint64_t *mean_ns = &counter[PP_FRAMED_MEAN_NS];
    if (!*mean_ns)
        *mean_ns = wall_ns;
    *mean_ns += (uint64_t)((int64_t)(wall_ns - *mean_ns) / MEAN_CALLS);
    if (is_long(p, *mean_ns))
        pp_calls_due(counter, 0);
}
