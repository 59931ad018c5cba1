/* SPDX-License-Identifier: MIT */
/* Which calls of functions are timed, on the test's own clock: rare calls are all timed, frequent ones cost their share
 * of the budget, and every call is booked once. The choice does not synchronize with any pattern of the program. */
#include "probe/pace.h"
#include "probe/frame.h"
#include "system/state.h"
#include "thread/thread.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(held, ...) ((held) ? (void)0 : (printf("%d: not so: %s: ", __LINE__, #held), printf(__VA_ARGS__), puts(""), exit(1)))

static struct pp_thread thread;
static struct pp_header header;
static uint64_t now = 1000000000;

struct site { struct pp_node node; _Alignas(16) uint64_t word[4]; uint64_t hooks, booked; };
static uint64_t *counter(struct site *s) { return &s->word[3]; }

static void site_make(struct site *s)
{
    memset(s, 0, sizeof *s);
    s->node.first = (uint64_t)(uintptr_t)&s->node;
}

/* Simulates a call of this duration, as emitted code and the hook make it. Returns whether it was timed. */
static bool call_of(struct site *s, uint64_t wall_ns)
{
    uint64_t *c = counter(s);
    if ((int64_t)++c[0] < 0)
        return false;
    uint64_t calls = pp_calls(c) - c[-2];
    c[-2] += calls;
    struct pp_frame frame = { .node = (uint64_t)(uintptr_t)&s->node, .start_ns = now };
    pp_pace(&thread, c, calls, &frame);
    now += pp_costs.activation_ns;
    s->hooks++;
    s->booked += calls;
    pp_pace_note(pp_private(&thread), &frame, wall_ns);
    return true;
}

static bool call(struct site *s) { return call_of(s, 3); }

int main(void)
{
    pp_run.header = &header;
    header.budget_permille = 20;
    pp_costs.activation_ns = 100;
    pp_private(&thread)->random = 88172645463325252u;

    struct site rare;
    site_make(&rare);
    for (int i = 0; i < 2000; i++, now += 300000)
        CHECK(call(&rare), "call %d of a rare function", i);

    /* Of calls that take 1.2 and 0.9 times the spacing in turn, the longer ones are all timed, and of the others only some. */
    struct site lasting, passing;
    site_make(&lasting);
    site_make(&passing);
    unsigned passed = 0;
    for (int i = 0; i < 2000; i++) {
        pp_private(&thread)->spacing_ns = 50000; /* and it stays so */
        pp_private(&thread)->pace_calls = 0;
        CHECK(call_of(&lasting, i % 2 ? 60000 : 45000), "call %d of a long function", i);
        now += 10000;
        passed += call_of(&passing, 45000);
    }
    CHECK(passed >= 16 && passed < 500, "%u of 2000 calls of a shorter one", passed);

    /* Those of 0.15 ms are all timed, however busy the thread is. */
    struct site slow;
    site_make(&slow);
    for (int i = 0; i < 2000; i++) {
        pp_private(&thread)->spacing_ns = 1000000;
        pp_private(&thread)->pace_calls = 0;
        CHECK(call_of(&slow, 150000), "call %d of a slow function", i);
    }

    /* Where timing a call takes 50 times as long, so must a long function, and calls that are rare. */
    struct site slowed;
    site_make(&slowed);
    pp_costs.activation_ns = 5000;
    pp_private(&thread)->spacing_ns = 0;
    unsigned timed = 0;
    for (int i = 0; i < 2000; i++, now += 1000)
        timed += call_of(&slowed, 12000);
    CHECK(timed >= PP_TIMED_FIRST + 2 && timed < 500, "%u of 2000 calls of a function that takes 2.4 times what timing takes", timed);
    pp_costs.activation_ns = 100;

    /* 40 functions, called every 5 ns in turn: after a while their timing costs 0.5 %. */
    static struct site busy[40];
    for (int i = 0; i < 40; i++)
        site_make(&busy[i]);
    uint64_t started = 0, hooks = 0, before = 0;
    for (uint64_t i = 0; i < 200000000; i++, now += 5) {
        if (i == 100000000) {
            started = now;
            before = hooks;
        }
        hooks += call(&busy[i % 40]);
    }
    double share = (double)(hooks - before) * 100 / (double)(now - started);
    CHECK(share < 0.006 && share > 0.0005, "a share of %f", share);

    /* Seven functions, each called by the one before, where each takes 12 us: once a request, and the thread waits three times as long in between. */
    struct site nested[7];
    uint64_t waited = 0, nested_hooks = 0;
    for (int i = 0; i < 7; i++)
        site_make(&nested[i]);
    for (uint64_t i = 0; i < 400000; i++, now += 48000) {
        if (i == 200000) {
            started = now;
            before = nested_hooks;
            waited = pp_private(&thread)->stall.waited_ns;
        }
        for (int k = 0; k < 7; k++)
            nested_hooks += call_of(&nested[k], 12000);
        pp_private(&thread)->stall.waited_ns += 36000;
    }
    uint64_t worked = now - started - (pp_private(&thread)->stall.waited_ns - waited);
    share = (double)(nested_hooks - before) * 100 / (double)worked;
    CHECK(share < 0.006 && share > 0.0005, "a share of %f of the time that the thread does not wait", share);
    for (int i = 0; i < 40; i++) {
        CHECK(pp_calls(counter(&busy[i])) == 5000000 && busy[i].booked <= 5000000 && busy[i].booked + 200000 > 5000000, "%d: %llu booked", i, (unsigned long long)busy[i].booked);
        CHECK(busy[i].hooks > 100, "%d: timed %llu times", i, (unsigned long long)busy[i].hooks);
    }

    /* In a pattern that repeats every 7 calls, each of the 7 has 1/7 of the draws, within 6 sigma. */
    struct site rhythm;
    site_make(&rhythm);
    uint64_t met[7] = { 0 }, all = 0;
    pp_private(&thread)->spacing_ns = 10000;
    for (uint64_t i = 0; i < 60000000; i++, now += 20)
        if (call(&rhythm) && i > 1000) {
            met[i % 7]++;
            all++;
        }
    for (int i = 0; i < 7; i++) {
        double expected = (double)all / 7, off = (double)met[i] - expected;
        CHECK(all > 5000 && off * off < 36 * expected, "%llu of %llu at step %d", (unsigned long long)met[i], (unsigned long long)all, i);
    }

    /* A call inside a timed one of the same function has no frame: it is skipped or booked without a clock. */
    _Alignas(16) uint64_t words[4] = { 0, 0, 0, 100 };
    pp_pace(&thread, &words[3], 1, 0);
    CHECK(pp_calls(&words[3]) == 100 && words[2] > 100 && words[2] < 1000, "%llu", (unsigned long long)words[2]);
    return 0;
}
