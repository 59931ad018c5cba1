/* SPDX-License-Identifier: MIT */
/* rate.c: see rate.h. Samples may cost what the rest of the runtime leaves of the budget: at most three quarters, and
 * at least a quarter, because a profile without samples is none (at budget=2 that is about 300 samples a second of CPU
 * time). Two sources tell what the rest costs. The share of samples that interrupt the runtime is the runtime's share
 * of time. Counters in the program's own code are counted, and the cost of one count is known. Both are read when a
 * window of samples ends. */
#define _GNU_SOURCE
#include "sample/rate.h"
#include "metric/cpu.h"
#include "probe/frame.h"
#include "probe/object.h"
#include "system/clock.h"
#include "system/state.h"
#include <errno.h>
#include <sys/resource.h>

#define WINDOW_FIRST 16u /* signals in the first window: then the cost of a sample is known */
#define WINDOW_MOST 256u
#define PARTS 16u       /* pp_rate.every counts sixteenths of a period */
#define SHARE_MOST 750u /* per mille of the budget */
#define SHARE_LEAST 250u
#define EVERY_MOST_NS 100000000u /* one sample in this much CPU time is always taken */
#define REMEMBERED 8u            /* sums decay over about this many windows */
#define TURNS_LEAST 64u          /* context switches that allow a verdict */
#define CALM_PART 4u             /* back to events when switches cost this part of what they may */
#define CALM_NS 20000000u        /* CPU time that allows a verdict also with fewer switches */
#define ARMING_NS 2000u          /* assumed before it was measured */
#define ARMING_MOST_NS 5000u

void pp_rate_begin(struct pp_rate *rate) { *rate = (struct pp_rate){ .every = PARTS, .window = WINDOW_FIRST }; }

uint64_t pp_rate_draw(const struct pp_rate *rate, uint64_t random)
{
    return rate->every / PARTS + (random % PARTS < rate->every % PARTS);
}

/* Counts made so far in the thread: calls and hits of lines. The loop reaches the words of a framed site from the
 * highest down; the highest is its counter (pace.h). */
static uint64_t counts_of(const struct pp_private *p)
{
    const uint64_t *counter = (const uint64_t *)(uintptr_t)p->counters;
    uint64_t sum = 0, keys = p->counters_limit / 8;
    if (keys > pp_run.header->key_count)
        keys = pp_run.header->key_count;
    for (uint64_t key = keys; key-- > 1;) {
        if (pp_key_facts((uint32_t)key) & PP_SITE_FRAMED) {
            sum += pp_calls(&counter[key]);
            key -= key < PP_FRAMED_SLOTS ? key - 1 : PP_FRAMED_SLOTS - 1;
        } else {
            int64_t hits = (int64_t)__atomic_load_n(&counter[key], __ATOMIC_RELAXED);
            if (hits > 0)
                sum += (uint64_t)hits;
        }
    }
    return sum;
}

static void window_end(struct pp_thread *thread, uint64_t period_ns)
{
    struct pp_private *p = pp_private(thread);
    struct pp_rate *rate = &p->rate;
    uint64_t begun_ns = pp_now_ns(), cpu_ns = pp_cpu_note(thread), counts = counts_of(p),
             user_ns = rate->periods * period_ns;
    uint64_t elapsed_ns = cpu_ns > rate->cpu_ns && rate->cpu_ns ? cpu_ns - rate->cpu_ns : user_ns;
    uint64_t counted_ns = counts > rate->counts ? (counts - rate->counts) * pp_run.header->count_ps / 1000 : 0;
    rate->rest_ns += rate->busy * period_ns + counted_ns - rate->rest_ns / REMEMBERED;
    rate->elapsed_ns += elapsed_ns - rate->elapsed_ns / REMEMBERED;
    uint64_t budget_ns = rate->elapsed_ns * pp_run.header->budget_permille / 1000,
             left_ns = budget_ns > rate->rest_ns ? budget_ns - rate->rest_ns : 0;
    uint64_t least_ns = budget_ns * SHARE_LEAST / 1000, most_ns = budget_ns * SHARE_MOST / 1000;
    if (left_ns < least_ns)
        left_ns = least_ns;
    if (left_ns > most_ns)
        left_ns = most_ns;
    /* The cost of taking every sample of this window, relative to what is left of this window's budget. */
    uint64_t all_ns = rate->spent_ns / rate->signals * rate->periods,
             window_ns = left_ns * (elapsed_ns / 1000) / (rate->elapsed_ns / 1000 + 1);
    uint64_t every = window_ns ? all_ns * PARTS / window_ns : 0, most = EVERY_MOST_NS / period_ns * PARTS;
    if (every > most || !window_ns)
        every = most;
    rate->every = every > PARTS ? (uint32_t)every : PARTS;
    rate->counts = counts;
    rate->cpu_ns = cpu_ns;
    rate->spent_ns = rate->periods = rate->busy = 0;
    rate->signals = 0;
    if (rate->window < WINDOW_MOST)
        rate->window *= 2;
    atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->self_ns, pp_now_ns() - begun_ns,
                              memory_order_relaxed);
}

void pp_rate_note(struct pp_thread *thread, uint64_t periods, uint64_t period_ns, uint64_t spent_ns, uint64_t arming_ns,
                  bool busy)
{
    struct pp_rate *rate = &pp_private(thread)->rate;
    if (arming_ns > ARMING_MOST_NS)
        arming_ns = ARMING_MOST_NS; /* longer means that the thread was preempted meanwhile */
    rate->arming_ns += rate->arming_ns ? arming_ns / REMEMBERED - rate->arming_ns / REMEMBERED : arming_ns;
    rate->spent_ns += spent_ns;
    rate->periods += periods;
    if (busy)
        rate->busy += periods;
    if (++rate->signals >= rate->window)
        window_end(thread, period_ns);
}

bool pp_rate_turns(struct pp_thread *thread, bool event)
{
    struct pp_rate *rate = &pp_private(thread)->rate;
    struct rusage usage;
    int kept = errno;
    bool known = !pp_forbids(PP_FORBIDDEN_METRICS) && getrusage(RUSAGE_THREAD, &usage) == 0;
    errno = kept;
    if (!known)
        return false;
    uint64_t switches = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
    uint64_t cpu_ns = 1000 * (uint64_t)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) +
                      1000000000 * (uint64_t)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec);
    if (!rate->turns_cpu_ns) {
        /* the first reading: what the process did before, perhaps before an exec, does not count */
        rate->switches = switches;
        rate->turns_cpu_ns = cpu_ns + 1;
        return false;
    }
    /* A switch stops and arms the timer, for about what one measured arming takes: half of that is the system call. */
    uint64_t more = switches - rate->switches, cost_ns = more * (rate->arming_ns ? rate->arming_ns : ARMING_NS),
             elapsed_ns = cpu_ns - rate->turns_cpu_ns;
    uint64_t share_ns = elapsed_ns / 1000 * pp_run.header->budget_permille / (rate->turns ? CALM_PART : 1);
    if (more < TURNS_LEAST && elapsed_ns < CALM_NS)
        return rate->turns;
    rate->turns = more >= TURNS_LEAST && cost_ns > share_ns;
    rate->switches = switches;
    rate->turns_cpu_ns = cpu_ns;
    if (event)
        atomic_fetch_add_explicit((_Atomic uint64_t *)&pp_run.header->self_ns, cost_ns, memory_order_relaxed);
    return rate->turns;
}
