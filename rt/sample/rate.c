/* SPDX-License-Identifier: MIT */
/* rate.c: see rate.h. Samples may cost three quarters of the budget, whatever the rest of the runtime takes: a profile
 * with few samples is none. What they cost is looked at when a window of samples ends. */
#define _GNU_SOURCE
#include "sample/rate.h"
#include "metric/cpu.h"
#include "system/clock.h"
#include "system/state.h"
#include "thread/thread.h"
#include <errno.h>
#include <sys/resource.h>

#define WINDOW_FIRST 16u /* signals in the first window: then the cost of a sample is known */
#define WINDOW_MOST 256u
#define PARTS 16u                /* pp_rate.every counts sixteenths of a period */
#define SHARE 750u               /* per mille of the budget */
#define EVERY_MOST_NS 100000000u /* one sample in this much CPU time is always taken */
#define REMEMBERED 8u            /* sums decay over about this many windows */
#define TURNS_LEAST 64u          /* context switches that allow a verdict */
#define CALM_PART 4u             /* back to events when switches cost this part of what they may */
#define IDLE_NS 2000u            /* of a millisecond: what switches of threads that mostly wait may cost besides */
#define CALM_NS 20000000u        /* CPU time that allows a verdict also with fewer switches */
#define HANDLER_MOST_NS 30000u   /* a handler that seems to take longer was preempted, as often on a busy machine */
#define ARMING_NS 2000u          /* assumed before it was measured */
#define ARMING_MOST_NS 20000u    /* longer means that the thread was preempted meanwhile */
#define SWITCH_MOST_NS 5000u     /* where a virtual machine's timer is slow, a switch took 4.4 us, and arming 10 */
#define ARMING_PARTS 3u          /* see pp_rate_raising_ns */
#define SIGNAL_NS 1000u          /* kernel time to deliver a signal and to return from it */

void pp_rate_begin(struct pp_rate *rate) { *rate = (struct pp_rate){ .every = PARTS, .window = WINDOW_FIRST }; }

uint64_t pp_rate_draw(const struct pp_rate *rate, uint64_t random)
{
    return rate->every / PARTS + (random % PARTS < rate->every % PARTS);
}

static void window_end(struct pp_thread *thread, uint64_t period_ns)
{
    struct pp_private *p = pp_private(thread);
    struct pp_rate *rate = &p->rate;
    uint64_t begun_ns = pp_now_ns(), cpu_ns = pp_cpu_note(thread), elapsed_ns = rate->periods * period_ns;
    if (cpu_ns > rate->cpu_ns && rate->cpu_ns)
        elapsed_ns = cpu_ns - rate->cpu_ns;
    /* The cost of taking every sample of this window, and what its samples may cost. */
    uint64_t all_ns = rate->spent_ns / rate->signals * rate->periods,
             window_ns = elapsed_ns / 1000 * pp_run.header->budget_permille / 1000 * SHARE;
    uint64_t every = window_ns ? all_ns * PARTS / window_ns : 0, most = EVERY_MOST_NS / period_ns * PARTS;
    if (every > most || !window_ns)
        every = most;
    rate->every = every > PARTS ? (uint32_t)every : PARTS;
    rate->cpu_ns = cpu_ns;
    rate->spent_ns = rate->periods = 0;
    rate->signals = 0;
    if (rate->window < WINDOW_MOST)
        rate->window *= 2;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->self_ns, pp_now_ns() - begun_ns,
                              memory_order_relaxed);
}

uint64_t pp_rate_armed(struct pp_rate *rate, uint64_t took_ns)
{
    if (took_ns > ARMING_MOST_NS)
        took_ns = ARMING_MOST_NS;
    rate->arming_ns += rate->arming_ns ? took_ns / REMEMBERED - rate->arming_ns / REMEMBERED : took_ns;
    atomic_store_explicit((_Atomic uint32_t *)&pp_run.header->arming_ns, (uint32_t)rate->arming_ns,
                          memory_order_relaxed); /* any thread's will do */
    return took_ns;
}

uint64_t pp_rate_handled(struct pp_rate *rate, uint64_t took_ns)
{
    if (took_ns > HANDLER_MOST_NS)
        return rate->handler_ns ? rate->handler_ns : HANDLER_MOST_NS;
    rate->handler_ns += rate->handler_ns ? took_ns / REMEMBERED - rate->handler_ns / REMEMBERED : took_ns;
    return took_ns;
}

void pp_rate_spend(struct pp_rate *rate, uint64_t spent_ns) { rate->spent_ns += spent_ns; }

void pp_rate_forget(struct pp_rate *rate) { rate->user_ns = 0; }

const struct rusage *pp_rate_usage(struct rusage *usage)
{
    int kept = errno;
    bool known = !pp_forbids(PP_FORBIDDEN_METRICS) && getrusage(RUSAGE_THREAD, usage) == 0;
    errno = kept;
    return known ? usage : NULL;
}

uint64_t pp_rate_ticked(struct pp_rate *rate, const struct rusage *usage, uint64_t periods, uint64_t period_ns)
{
    uint64_t user_ns =
        usage ? 1000 * (uint64_t)usage->ru_utime.tv_usec + 1000000000 * (uint64_t)usage->ru_utime.tv_sec : 0;
    if (!usage || !rate->user_ns) {
        rate->user_ns = user_ns;
        return periods;
    }
    periods = user_ns > rate->user_ns ? (user_ns - rate->user_ns) / period_ns : 0;
    rate->user_ns += periods * period_ns;
    return periods;
}

/* The timer's interrupt, the interrupt that the kernel sends itself to raise the signal, and programming the timer
 * again. Each is an exit of a virtual machine, or two. Arming is one of those, and a system call. */
uint64_t pp_rate_raising_ns(const struct pp_rate *rate)
{
    return ARMING_PARTS * (rate->arming_ns ? rate->arming_ns : ARMING_NS) + SIGNAL_NS;
}

uint64_t pp_rate_sample_ns(const struct pp_rate *rate) { return rate->signals ? rate->spent_ns / rate->signals : 0; }

void pp_rate_note(struct pp_thread *thread, uint64_t periods, uint64_t period_ns, uint64_t spent_ns)
{
    struct pp_rate *rate = &pp_private(thread)->rate;
    rate->spent_ns += spent_ns;
    rate->periods += periods;
    if (++rate->signals >= rate->window)
        window_end(thread, period_ns);
}

bool pp_rate_turns(struct pp_thread *thread, const struct rusage *usage)
{
    struct pp_rate *rate = &pp_private(thread)->rate;
    if (!usage)
        return false;
    uint32_t switches = (uint32_t)(usage->ru_nvcsw + usage->ru_nivcsw), now_ms = (uint32_t)(pp_now_ns() / 1000000);
    uint64_t cpu_ns = 1000 * (uint64_t)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec) +
                      1000000000 * (uint64_t)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec);
    if (!rate->turns_cpu_ns) {
        rate->switches = switches;
        rate->turns_ms = now_ms;
        rate->turns_cpu_ns = cpu_ns + 1;
        return false;
    }
    /* A switch stops and arms the timer, for about what one measured arming takes: half of that is the system call. */
    uint64_t each_ns = rate->arming_ns ? rate->arming_ns : ARMING_NS;
    uint32_t more = switches - rate->switches;
    uint64_t cost_ns = more * (each_ns < SWITCH_MOST_NS ? each_ns : SWITCH_MOST_NS),
             elapsed_ns = cpu_ns - rate->turns_cpu_ns;
    /* Ticks hardly ever meet a thread that works now and then for less than one. The little CPU time that it has is a
     * bad measure, so its switches may cost a part of the wall time as well. */
    uint64_t idle_ns = (uint64_t)(now_ms - rate->turns_ms) * IDLE_NS / (pp_thread_count() + 1);
    uint64_t share_ns = (elapsed_ns / 1000 * pp_run.header->budget_permille + idle_ns) / (rate->turns ? CALM_PART : 1);
    if (more < TURNS_LEAST && elapsed_ns < CALM_NS)
        return rate->turns;
    rate->turns = more >= TURNS_LEAST && cost_ns > share_ns;
    rate->switches = switches;
    rate->turns_ms = now_ms;
    rate->turns_cpu_ns = cpu_ns;
    return rate->turns;
}

void pp_rate_turns_begin(struct pp_thread *thread, bool is_new)
{
    struct pp_rate *rate = &pp_private(thread)->rate;
    rate->turns_cpu_ns = is_new; /* else it is read: what the process did before, perhaps before an exec, is no turn */
    struct rusage asked;
    if (!is_new)
        pp_rate_turns(thread, pp_rate_usage(&asked));
}
