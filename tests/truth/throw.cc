// SPDX-License-Identifier: MIT
// throw.cc: exceptions through instrumented frames: caught far out, caught in the middle, thrown again, with destructors that are stages.
#include <stdexcept>

#include <profplug.h>
#include "truth.h"

static const int ROUNDS = 2000;
static volatile long sum;
static uint64_t calls_leaf, calls_middle, calls_cleanup, total_outer_ns, total_after_ns;

PROFPLUG_STAGE("cleanup", "memory") static __attribute__((noinline)) void cleanup()
{
    calls_cleanup++;
    sum = sum + 1;
}

struct guard {
    ~guard() { cleanup(); }
};

PROFPLUG_STAGE("leaf", "compute") static __attribute__((noinline)) void leaf(int depth)
{
    calls_leaf++;
    guard g;
    for (int i = 0; i < 3; i++)
        sum = sum + i;
    if (depth == 0)
        throw std::runtime_error("bottom");
    leaf(depth - 1);
    sum = sum + 1;
}

PROFPLUG_STAGE("middle", "compute") static __attribute__((noinline)) void middle(int depth)
{
    calls_middle++;
    try {
        leaf(depth);
    } catch (const std::logic_error &) {
        sum = 0;
    } catch (...) {
        PROFPLUG_SCOPE("rethrow");
        throw;
    }
}

PROFPLUG_STAGE("outer", "compute") static __attribute__((noinline)) void outer(long rounds)
{
    uint64_t t = now_ns();
    try {
        middle(5);
    } catch (const std::exception &) {
        BURN(rounds);
    }
    total_outer_ns += now_ns() - t;
}

PROFPLUG_STAGE("after", "compute") static __attribute__((noinline)) void after(long rounds)
{
    uint64_t t = now_ns();
    BURN(rounds);
    total_after_ns += now_ns() - t;
}

int main()
{
    long millisecond = burn_calibrate();
    for (int i = 0; i < ROUNDS; i++)
        outer(millisecond / 8);
    after(millisecond * 50);
    expect_exact("stages", "outer", "calls", ROUNDS);
    expect_near("stages", "outer", "wall_total_ns", total_outer_ns, 1);
    expect_exact("stages", "middle", "calls", calls_middle);
    expect_exact("stages", "leaf", "calls", calls_leaf);
    expect_exact("stages", "cleanup", "calls", calls_cleanup);
    expect_exact("stages", "rethrow", "calls", ROUNDS);
    printf("stages middle parent_name outer text\nstages rethrow parent_name middle text\nstages after parent_name - text\n");
    expect_exact("stages", "after", "calls", 1);
    expect_near("stages", "after", "wall_total_ns", total_after_ns, 1);
    return 0;
}
