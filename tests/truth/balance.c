/* SPDX-License-Identifier: MIT */
/* balance.c: deep recursion, mutual recursion and longjmp: every stack is back where it was, every count and total is right. */
#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>

#include <profplug.h>
#include "truth.h"

enum { DEPTH = 100000, JUMPS = 2000, JUMP_DEPTH = 12 };
static volatile long sum;
static uint64_t calls_plunge, calls_even, calls_odd, calls_sink, calls_outer, total_deep_ns, total_outer_ns, total_after_ns;

/* The loops make these functions framed under the default selection. */
static __attribute__((noinline)) int plunge(int depth)
{
    calls_plunge++;
    for (int i = 0; i < depth % 3; i++)
        sum += i;
    int below = depth > 0 ? plunge(depth - 1) : 0;
    sum += below;
    return below + 1;
}

PROFPLUG_STAGE("deep", "compute") static __attribute__((noinline)) int deep(int depth)
{
    uint64_t t = depth == DEPTH ? now_ns() : 0;
    int below = depth > 0 ? deep(depth - 1) : 0;
    sum += below;
    if (t)
        total_deep_ns = now_ns() - t;
    return below + 1;
}

static int odd(int n);
static __attribute__((noinline)) int even(int n)
{
    calls_even++;
    for (int i = 0; i < n % 3; i++)
        sum += i;
    int r = n == 0 ? 1 : odd(n - 1);
    sum += r;
    return r;
}
static __attribute__((noinline)) int odd(int n)
{
    calls_odd++;
    for (int i = 0; i < n % 3; i++)
        sum += i;
    int r = n == 0 ? 0 : even(n - 1);
    sum += r;
    return r;
}

static jmp_buf back;
PROFPLUG_STAGE("inner", "compute") static __attribute__((noinline)) void dive(int depth)
{
    calls_sink++;
    for (int i = 0; i < 3; i++)
        sum += i;
    if (depth < 0)
        return;
    if (depth == 0)
        longjmp(back, 1);
    dive(depth - 1);
    sum++;
}

PROFPLUG_STAGE("outer", "compute") static __attribute__((noinline)) int outer(volatile long rounds)
{
    volatile uint64_t t = now_ns();
    calls_outer++;
    if (setjmp(back) == 0)
        dive(JUMP_DEPTH);
    BURN(rounds);
    total_outer_ns += now_ns() - t;
    return 1;
}

PROFPLUG_STAGE("after", "compute") static __attribute__((noinline)) void after(long rounds)
{
    uint64_t t = now_ns();
    BURN(rounds);
    total_after_ns += now_ns() - t;
}

static void *run(void *unused)
{
    long millisecond = burn_calibrate();
    plunge(DEPTH);
    deep(DEPTH);
    for (int i = 0; i < 50; i++)
        even(501);
    for (int i = 0; i < JUMPS; i++)
        outer(millisecond / 8);
    after(millisecond * 50);
    return unused;
}

int main(void)
{
    pthread_t thread;
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, (size_t)512 << 20);
    if (pthread_create(&thread, &attributes, run, NULL))
        return 2;
    pthread_join(thread, NULL);
    expect_exact("functions", "plunge", "calls", calls_plunge);
    expect_exact("functions", "even", "calls", calls_even);
    expect_exact("functions", "odd", "calls", calls_odd);
    expect_exact("stages", "deep", "calls", DEPTH + 1);
    expect_near("stages", "deep", "wall_total_ns", total_deep_ns, 1);
    expect_exact("stages", "outer", "calls", calls_outer);
    expect_near("stages", "outer", "wall_total_ns", total_outer_ns, 1);
    expect_exact("stages", "inner", "calls", calls_sink);
    printf("stages inner parent_name outer text\n");
    expect_exact("stages", "after", "calls", 1);
    printf("stages after parent_name - text\n");
    expect_near("stages", "after", "wall_total_ns", total_after_ns, 1);
    return 0;
}
