/* SPDX-License-Identifier: MIT */
/* Recursions of a stage that run out of stack, each a little deeper than the one before. So at each depth where the
 * runtime makes room for more open activations, one of them has hardly any stack left. The program recovers there, too.
 * expect: stage after 400 */
#define _GNU_SOURCE
#include <alloca.h>
#include <profplug.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/resource.h>

enum { TRIES = 400, STEP = 512, STACK = 256 << 10 };

static sigjmp_buf back;
static volatile long work;

static void over(int number) { siglongjmp(back, number); }

PROFPLUG_STAGE("deeper") __attribute__((noinline)) static long deeper(long n)
{
    volatile char room[200];
    room[0] = (char)n;
    work += room[0];
    return deeper(n + 1) + room[0];
}

__attribute__((noinline)) static void descend(size_t taken)
{
    volatile char *room = alloca(taken);
    room[0] = 0;
    deeper(0);
}

PROFPLUG_STAGE("after") static void after(void) { work++; }

int main(void)
{
    struct rlimit limit = { STACK, STACK };
    stack_t other = { .ss_sp = malloc(16384), .ss_size = 16384 };
    struct sigaction act = { .sa_handler = over, .sa_flags = SA_ONSTACK };
    if (!other.ss_sp || setrlimit(RLIMIT_STACK, &limit) || sigaltstack(&other, 0) || sigaction(SIGSEGV, &act, 0))
        return 2;
    for (volatile int i = 0; i < TRIES; i++) {
        if (!sigsetjmp(back, 1))
            descend((size_t)(TRIES - i) * STEP);
        after();
    }
    return 0;
}
