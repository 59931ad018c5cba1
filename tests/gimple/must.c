/* SPDX-License-Identifier: MIT */
/* must.c: calls that must be jumps, which GCC knows from 15 on, and refuses where anything stands behind them. `@NAME CALLS`
 * is what must be found. */
#include <profplug.h>
#include <stdio.h>

#if __has_attribute(musttail)
#define JUMP __attribute__((musttail))
#else
#define JUMP
#endif

#define KEEP __attribute__((noinline, noclone))
static volatile int sink;
static long total;

KEEP static long step(int n, long sum);
PROFPLUG_STAGE("bounce") KEEP static long bounce(int n, long sum)
{
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) sink += i * j;
    if (sink == -1) puts("never");
    if (n == 0) return sum;
    JUMP return step(n - 1, sum + n);
}
KEEP static long step(int n, long sum)
{
    if (n == 0) return sum;
    JUMP return bounce(n - 1, sum + n);
}
KEEP static void nothing(int n) { total += n; }
PROFPLUG_STAGE("value") KEEP static void value(int n)
{
    for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) sink += i * j;
    if (sink == -1) puts("never");
    JUMP return nothing(n);
}

int main(void)
{
    total = step(100000, 0);
    for (int i = 0; i < 3; i++) value(i);
    printf("result %ld\n@step 50001\n@bounce 50000\n@nothing 3\n@value 3\n", total);
    return 0;
}
