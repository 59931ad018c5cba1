/* SPDX-License-Identifier: MIT */
/* left.c COUNT: loops and scopes that longjmp leaves, in the function that called setjmp or inlined into it, which then
 * goes on and enters them again. Says how long it took, in ns. */
#include <profplug.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static jmp_buf loop_top, scope_top, inlined_top;
static volatile unsigned long sum;

static __attribute__((noinline)) void work(int i, jmp_buf to)
{
    sum += (unsigned)i;
    if (i % 3 == 2)
        longjmp(to, 1);
}

static __attribute__((noinline)) void loops(int count)
{
    volatile int at = 0;
    setjmp(loop_top);
    PROFPLUG_LOOP("commands")
    while (at < count) {
        int i = at;
        at = i + 1;
        work(i, loop_top);
    }
}

static __attribute__((noinline)) void scopes(int count)
{
    volatile int at = 0;
    setjmp(scope_top);
    while (at < count) {
        PROFPLUG_SCOPE("one");
        int i = at;
        at = i + 1;
        work(i, scope_top);
    }
}

static inline __attribute__((always_inline)) void part(int first)
{
    PROFPLUG_LOOP("rows")
    for (int k = 0; k < 3; k++)
        work(first + k, inlined_top);
}

static __attribute__((noinline)) void inlined(int count)
{
    for (volatile int i = 0; i < count; i += 3)
        if (!setjmp(inlined_top))
            part(i);
}

static unsigned long now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (unsigned long)t.tv_sec * 1000000000 + (unsigned long)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int count = argc > 1 ? atoi(argv[1]) : 3000;
    unsigned long begun = now_ns();
    loops(count);
    scopes(count);
    inlined(count);
    printf("%lu\n", now_ns() - begun);
    return 0;
}
