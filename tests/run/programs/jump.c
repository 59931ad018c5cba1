/* SPDX-License-Identifier: MIT */
/* longjmp over timed and counted frames, out of signal handlers on their own stack, and coroutines on stacks of their own. */
#include "expect.h"
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <ucontext.h>

static jmp_buf home;
static sigjmp_buf handler_home;
static unsigned long long within_ns;     /* by the program's clock inside the stage */
static ucontext_t main_context, coroutine_context;

PROFPLUG_STAGE("thrower", "compute") KEEP void thrower(int depth)
{
    if (depth) thrower(depth - 1);
    else longjmp(home, 1);
    __asm__ volatile("");
}
KEEP void plain_thrower(void) { longjmp(home, 1); }
PROFPLUG_STAGE("sane", "compute") KEEP void sane(void) { spin_ns(100000); }
KEEP void leaf(void) { __asm__ volatile(""); }

KEEP void catcher(int i)
{
    if (!setjmp(home)) {
        if (i % 2) thrower(3);
        else plain_thrower();
    }
    leaf();
}

KEEP void on_signal_work(void) { __asm__ volatile(""); }
PROFPLUG_STAGE("handler", "compute") KEEP void handler_stage(void) { on_signal_work(); }
static void handler(int s) { handler_stage(); }
static void jumping_handler(int s) { handler_stage(); siglongjmp(handler_home, 1); }

PROFPLUG_STAGE("jumped", "compute") KEEP void jumped(void) { raise(SIGUSR2); }

PROFPLUG_STAGE("coroutine", "compute") KEEP void coroutine_body(void)
{
    for (int i = 0; i < 10; i++) { leaf(); swapcontext(&coroutine_context, &main_context); }
}
static void coroutine(void) { coroutine_body(); }
PROFPLUG_STAGE("resumer", "compute") KEEP void resumer(void) { spin_ns(100000); swapcontext(&main_context, &coroutine_context); }

PROFPLUG_STAGE("whole", "compute") KEEP void whole(void)
{
    unsigned long long before = wall_ns();
    for (int i = 0; i < 1000; i++) catcher(i);
    sane();
    for (int i = 0; i < 100; i++) {
        raise(SIGUSR1);
        if (!sigsetjmp(handler_home, 1)) jumped();
    }
    sane();
    for (int i = 0; i < 11; i++) resumer();
    sane();
    within_ns = wall_ns() - before;
}

int main(void)
{
    stack_t s = { .ss_sp = malloc(65536), .ss_size = 65536 };
    sigaltstack(&s, 0);
    struct sigaction a = { .sa_handler = handler, .sa_flags = SA_ONSTACK };
    sigaction(SIGUSR1, &a, 0);
    a.sa_handler = jumping_handler;
    sigaction(SIGUSR2, &a, 0);
    getcontext(&coroutine_context);
    coroutine_context.uc_stack.ss_sp = malloc(262144);
    coroutine_context.uc_stack.ss_size = 262144;
    coroutine_context.uc_link = &main_context;
    makecontext(&coroutine_context, coroutine, 0);
    unsigned long long before = wall_ns();
    whole();
    unsigned long long took = wall_ns() - before;
    expect("stage whole stage 1");
    expect("stage_wall_most whole %llu", took);
    expect("stage_wall_least whole %llu", within_ns - within_ns / 1000);   /* two clocks */
    expect("calls catcher 1000");
    expect("stage thrower stage 2000");
    expect("stage handler stage 200");
    expect("calls on_signal_work 200");
    expect("stage jumped stage 100");
    expect("stage sane stage 3");
    expect("stage_wall_least sane 300000");
    expect("stage_parent sane whole 3");
    expect("calls leaf 1010");
    expect("stage coroutine stage 1");
    expect("stage resumer stage 11");
    expect("stage_wall_least resumer 1100000");
    expect("stage_timed resumer 11");
    expect("stage_timed sane 3");
    expect("stage_timed coroutine 1");
    expect("closed");
    expect("exit EXIT 0");
    return 0;
}
