/* SPDX-License-Identifier: MIT */
/* Recursions of a stage that run out of stack, and are left by a handler on a stack of its own, a stage too: thousands are closed at once beneath one that
 * stays open.
 * expect: stage after 20 */
#define _GNU_SOURCE
#include <profplug.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>

static sigjmp_buf back;
static volatile int caught;
static volatile long work;

PROFPLUG_STAGE("caught") static void over(int number) { caught += number == SIGSEGV; siglongjmp(back, 1); }

PROFPLUG_STAGE("deeper") __attribute__((noinline)) static long deeper(long n)
{
    volatile char room[200];
    room[0] = (char)n;
    work += room[0];
    return deeper(n + 1) + room[0];
}

PROFPLUG_STAGE("after") static void after(void) { work++; }

int main(void)
{
    struct rlimit limit = { 1 << 20, 1 << 20 };
    stack_t other = { .ss_sp = malloc(16384), .ss_size = 16384 };
    struct sigaction act = { .sa_handler = over, .sa_flags = SA_ONSTACK };
    setrlimit(RLIMIT_STACK, &limit);
    sigaltstack(&other, 0);
    sigaction(SIGSEGV, &act, 0);
    for (volatile int i = 0; i < 20; i++) {
        if (!sigsetjmp(back, 1))
            deeper(0);
        after();
    }
    printf("%d\n", caught);
    return 0;
}
