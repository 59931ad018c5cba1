/* SPDX-License-Identifier: MIT */
/* A timer's handler that jumps out of whatever runs, the runtime's own bookkeeping too: stages stay open nowhere, so that those
 * that follow are timed as what they are, outermost; and none lasts beyond the next call of the same function from the same place. */
#include "expect.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/time.h>

static sigjmp_buf out;
static unsigned long inner_calls;
static volatile unsigned long long called, oldest, longest;         /* by the program's clock: since the call before the last that got into the body */

PROFPLUG_STAGE("inner", "compute") KEEP void inner(void) { __asm__ volatile(""); }
PROFPLUG_STAGE("outer", "compute") KEEP void outer(void)
{
    unsigned long long now = wall_ns();
    if (oldest && now - oldest > longest) longest = now - oldest;
    oldest = called;
    for (int i = 0; i < 20; i++) { PROFPLUG_SCOPE("middle"); inner(); }
    __asm__ volatile("");
}
PROFPLUG_STAGE("last", "compute") KEEP void last(void) { spin_ns(1000000); }

static void handler(int s) { siglongjmp(out, 1); }

static KEEP void attempt(volatile int i)
{
    if (!sigsetjmp(out, 1)) {
        setitimer(ITIMER_REAL, &(struct itimerval){ { 0, 0 }, { 0, 30 + i % 200 } }, 0);
        for (;;) { called = wall_ns(); outer(); }
    }
}

int main(void)
{
    unsigned long long start = wall_ns();
    signal(SIGALRM, handler);
    for (volatile int i = 0; i < 3000; i++) attempt(i);
    for (int i = 0; i < 200; i++) { called = wall_ns(); outer(); called = wall_ns(); last(); inner_calls++; }
    unsigned long long whole = wall_ns() - start;
    expect("stage_wall_least outer %llu", 50000ull);
    expect("stage_wall_most outer %llu", whole);
    expect("stage_wall_most middle %llu", whole);
    expect("stage_wall_most inner %llu", whole);
    expect("stage_max_most outer %llu", longest);
    expect("stage_wall_least inner %d", 20000);
    expect("stage_wall_least middle %d", 20000);
    expect("stage_wall_least last %llu", 200ull * 1000000);
    expect("stage last stage 200");
    expect("stages_idle");
    expect("closed");
    expect("exit EXIT 0");
    return 0;
}
