/* SPDX-License-Identifier: MIT */
// Exceptions through timed and counted frames, thread_local destructors, std::thread.
#include <cstdio>
#include <cstdarg>
#include <stdexcept>
#include <thread>
#include "expect.h"

static int destroyed;
struct guard { KEEP ~guard() { __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED); } };
struct local { KEEP ~local() { __atomic_add_fetch(&destroyed, 1, __ATOMIC_RELAXED); } };
static thread_local local at_thread_end;

PROFPLUG_STAGE("thrower", "compute") KEEP int thrower(int depth)
{
    guard g;
    if (depth) { int r = thrower(depth - 1); __asm__ volatile("" : "+r"(r)); return r; }
    throw std::runtime_error("out");
}
KEEP int counted_thrower(int x) { if (x) throw x; return x; }
PROFPLUG_STAGE("catcher", "compute") KEEP int catcher(int i)
{
    try { PROFPLUG_SCOPE("trying"); return i % 2 ? thrower(4) : counted_thrower(1 + i); }
    catch (const std::exception &) { return 1; }
    catch (int) { return 0; }
}
KEEP void after() { __asm__ volatile(""); }
static void run()
{
    (void)&at_thread_end;
    for (int i = 0; i < 500; i++) { catcher(i); after(); }
}
int main()
{
    PROFPLUG_SCOPE("all");
    std::thread a(run), b(run);
    a.join();
    b.join();
    expect("stage catcher stage 1000");
    expect("stage_timed catcher 1000");
    expect("stage trying scope 1000");
    expect("stage_timed trying 1000");
    expect("stage thrower stage 2500");
    expect("stage_timed thrower 2500");
    expect("stage_parent thrower trying 2500");
    expect("calls counted_thrower(int) 500");
    expect("path run() after() 1000");
    expect("stage all scope 1");
    expect("closed");
    expect("exit EXIT 0");
}
