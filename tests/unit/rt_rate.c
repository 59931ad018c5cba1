/* SPDX-License-Identifier: MIT */
/* How often a thread is sampled, on the test's own processor clock. Samples take three quarters of the budget if
 * nothing else takes any, a fourth if the rest takes all of it, otherwise what is left. At any rate, they represent the
 * elapsed time. */
#include "system/state.h"
#include "thread/thread.h"
#include "sample/rate.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(held, ...) ((held) ? (void)0 : (printf("%d: not so: %s: ", __LINE__, #held), printf(__VA_ARGS__), puts(""), exit(1)))
#define PERIOD_NS 1000000u
#define PERIODS 400000u                  /* until the rate has settled, and as many again for the measurement */
#define KEYS 64u

static struct pp_header header;
static struct pp_thread thread;
static uint64_t counter[KEYS];

/* What samples cost, in parts of the time, once the rate has settled. `busy` per mille of all samples interrupt the
 * runtime. In each period the thread makes this many counts. */
static double share(uint64_t cost_ns, unsigned busy, uint64_t counts)
{
    struct pp_private *p = pp_private(&thread);
    uint64_t random = 88172645463325252u, stood = 0, spent = 0, samples = 0;
    memset(&thread, 0, sizeof thread);
    memset(counter, 0, sizeof counter);
    p->counters = (uint64_t)(uintptr_t)counter;
    p->counters_limit = sizeof counter;
    pp_rate_begin(&p->rate);
    pp_forbidden_calls = PP_FORBIDDEN_METRICS;           /* the test's clock is used, not the processor's */
    for (uint64_t at = 0; at < 2 * PERIODS; samples++) {
        random ^= random << 13, random ^= random >> 7, random ^= random << 17;
        uint64_t weight = pp_rate_draw(&p->rate, random >> 20);
        CHECK(weight >= 1 && weight <= 100, "%llu", (unsigned long long)weight);
        at += weight;
        counter[7] += weight * counts / 2;
        counter[9] += weight * counts / 2;
        if (at > PERIODS) stood += weight, spent += cost_ns;
        pp_rate_note(&thread, weight, PERIOD_NS, cost_ns, 2000, random >> 40 & 1023 ? (random >> 33) % 1000 < busy : 0);
    }
    return (double)spent / ((double)stood * PERIOD_NS);
}

static void expect(double want, const char *what, double got) { CHECK(fabs(got - want) < 0.1 * want, "%s: %.4f", what, got); }

int main(void)
{
    pp_run.header = &header;
    header.budget_permille = 20;
    header.key_count = KEYS;
    header.count_ps = 1000;
    expect(0.01, "cheap ones are all taken", share(10000, 0, 0));
    expect(0.015, "three quarters of the budget", share(40000, 0, 0));
    expect(0.005, "a fourth, the runtime is at work half of the time", share(40000, 500, 0));
    expect(0.005, "a fourth, counting takes a tenth of the time", share(40000, 0, 100000));
    expect(0.01, "half, counting takes the other", share(40000, 0, 10000));
    expect(0.01, "cheap ones are all taken beside it", share(10000, 0, 10000));
    header.budget_permille = 500;
    expect(0.04, "a budget that has room for all", share(40000, 500, 100000));
    header.budget_permille = 0;
    expect(0.0004, "one in 100 ms is always taken", share(40000, 0, 0));
    puts("ok");
    return 0;
}
