/* SPDX-License-Identifier: MIT */
/* How often a thread is sampled, on the test's own processor clock. Samples take three quarters of the budget, or less
 * if that is all of them. At any rate, they represent the elapsed time. What the kernel takes to raise a signal goes by
 * what it takes to arm the event. */
#define _GNU_SOURCE
#include "system/state.h"
#include "thread/thread.h"
#include "sample/rate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#define CHECK(held, ...) ((held) ? (void)0 : (printf("%d: not so: %s: ", __LINE__, #held), printf(__VA_ARGS__), puts(""), exit(1)))
#define PERIOD_NS 1000000u
#define PERIODS 400000u                  /* until the rate has settled, and as many again for the measurement */

static struct pp_header header;
static struct pp_thread thread;

/* What samples cost, in parts of the time, once the rate has settled. */
static double share(uint64_t cost_ns)
{
    struct pp_private *p = pp_private(&thread);
    uint64_t random = 88172645463325252u, stood = 0, spent = 0;
    memset(&thread, 0, sizeof thread);
    pp_rate_begin(&p->rate);
    pp_forbidden_calls = PP_FORBIDDEN_METRICS;           /* the test's clock is used, not the processor's */
    for (uint64_t at = 0; at < 2 * PERIODS;) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        uint64_t weight = pp_rate_draw(&p->rate, random >> 20);
        CHECK(weight >= 1 && weight <= 100, "%llu", (unsigned long long)weight);
        at += weight;
        if (at > PERIODS) stood += weight, spent += cost_ns;
        pp_rate_note(&thread, weight, PERIOD_NS, cost_ns);
    }
    return (double)spent / ((double)stood * PERIOD_NS);
}

static void expect(double want, const char *what, double got) { CHECK(fabs(got - want) < 0.1 * want, "%s: %.4f", what, got); }

static uint64_t user_ns(void)
{
    struct rusage use;
    getrusage(RUSAGE_THREAD, &use);
    return 1000000000 * (uint64_t)use.ru_utime.tv_sec + 1000 * (uint64_t)use.ru_utime.tv_usec;
}

/* A timer's signals together represent the user time since the first, whatever the kernel's count of them says. */
static void ticked(void)
{
    struct pp_rate *rate = &pp_private(&thread)->rate;
    struct rusage use;
    pp_rate_begin(rate);
    CHECK(pp_rate_ticked(rate, pp_rate_usage(&use), 7, PERIOD_NS) == 7, "the clock may not be asked");
    pp_forbidden_calls = 0;
    volatile unsigned sink = 0;
    for (int turn = 0; turn < 2; turn++) {
        uint64_t sum = 0, least = user_ns(), most;
        while (user_ns() == 0)
            sink = sink + 1;
        CHECK(pp_rate_ticked(rate, pp_rate_usage(&use), 7, PERIOD_NS) == 7, "the first signal");
        uint64_t from = user_ns();
        for (int i = 0; i < 20; i++) {
            for (uint64_t begun = user_ns(); user_ns() < begun + PERIOD_NS * 3 / 4;)
                sink = sink + 1;
            sum += pp_rate_ticked(rate, pp_rate_usage(&use), 1000, PERIOD_NS);
        }
        most = user_ns() - least;
        least = user_ns() - from;
        CHECK((sum + 2) * PERIOD_NS >= least && sum * PERIOD_NS <= most, "%llu periods in %llu to %llu ns",
              (unsigned long long)sum, (unsigned long long)least, (unsigned long long)most);
        pp_rate_forget(rate); /* an event took over for a while */
        for (uint64_t begun = user_ns(); user_ns() < begun + 20 * PERIOD_NS;)
            sink = sink + 1;
    }
}

/* A thread of so many switches, after `wait_us`, of which each had so much CPU time. */
static bool turns(struct rusage *use, long switches, long cpu_us, unsigned wait_us)
{
    usleep(wait_us);
    use->ru_nvcsw += switches;
    use->ru_utime.tv_usec += switches * cpu_us;
    return pp_rate_turns(&thread, use);
}

/* A thread that works for 0.1 ms now and then keeps its event, since a tick would hardly ever meet it. One that does so
 * all the time gives it up. */
static void seldom(void)
{
    struct pp_rate *rate = &pp_private(&thread)->rate;
    struct rusage use = { 0 };
    pp_rate_begin(rate);
    for (unsigned i = 0; i < 100; i++)
        pp_rate_armed(rate, 10000);
    CHECK(!turns(&use, 0, 0, 0) && !turns(&use, 80, 100, 2000000), "40 times a second");
    CHECK(turns(&use, 2000, 100, 200000), "10,000 times a second");
    CHECK(turns(&use, 160, 100, 500000), "320 times a second, after that");
    CHECK(!turns(&use, 80, 1500, 500000), "160 times a second for 1.5 ms");
    CHECK(turns(&use, 400, 100, 100000), "4,000 times a second");
}

int main(void)
{
    pp_run.header = &header;
    header.budget_permille = 20;
    seldom();
    expect(0.01, "cheap ones are all taken", share(10000));
    expect(0.015, "three quarters of the budget", share(40000));
    header.budget_permille = 500;
    expect(0.04, "a budget that has room for all", share(40000));
    header.budget_permille = 0;
    expect(0.0004, "one in 100 ms is always taken", share(40000));
    struct pp_rate *rate = &pp_private(&thread)->rate;
    pp_rate_begin(rate);
    uint64_t unknown = pp_rate_raising_ns(rate);
    CHECK(unknown >= 4000 && unknown <= 10000 && pp_rate_sample_ns(rate) == 0, "%llu ns", (unsigned long long)unknown);
    for (unsigned i = 0; i < 100; i++) CHECK(pp_rate_armed(rate, 8000) == 8000, "armed");
    CHECK(pp_rate_raising_ns(rate) == 3 * 8000 + 1000, "%llu ns", (unsigned long long)pp_rate_raising_ns(rate));
    CHECK(pp_rate_armed(rate, 5000000) == 20000, "preempted while it was armed");
    CHECK(pp_rate_handled(rate, 5000000) == 30000, "preempted before any handler was measured");
    for (unsigned i = 0; i < 100; i++) CHECK(pp_rate_handled(rate, 8000) == 8000, "a handler");
    CHECK(pp_rate_handled(rate, 5000000) == 8000 && pp_rate_handled(rate, 30001) == 8000, "preempted: as long as the others");
    CHECK(pp_rate_handled(rate, 30000) == 30000 && pp_rate_handled(rate, 40000) > 8000, "a long one counts");
    pp_rate_note(&thread, 1, PERIOD_NS, 30000);
    pp_rate_note(&thread, 1, PERIOD_NS, 10000);
    CHECK(pp_rate_sample_ns(rate) == 20000, "%llu ns a sample", (unsigned long long)pp_rate_sample_ns(rate));
    ticked();
    puts("ok");
    return 0;
}
