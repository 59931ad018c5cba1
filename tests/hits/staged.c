/* SPDX-License-Identifier: MIT */
/* staged.c: what lines=auto counts, and what not; see staged.py. =N: counted by auto and stages, ~N: by auto alone, -N: by neither. */
#include <profplug.h>
#include <stdio.h>
#include <stdlib.h>

static volatile int sink;

static inline int twice_inlined(int x)
{
    return x * 2 + sink;                           /* ~30 */
}

static int beyond(int x)
{
    return x + sink;                               /* -30 */
}

__attribute__((noinline)) static int called(int x)
{
    int y = twice_inlined(x);                      /* ~30 */
    return y + beyond(y);                          /* ~30 */
}

__attribute__((noinline)) int elsewhere(int x)
{
    sink += x;                                     /* -12 */
    return sink;                                   /* -12 */
}

PROFPLUG_STAGE("preprocess")
static int stage(int n)
{
    int sum = 0;                                   /* =3 */
    for (int i = 0; i < n; i++)                    /* =33 */
        sum += called(i);                          /* =30 */
    return sum;                                    /* =3 */
}

__attribute__((noinline)) static void before(void)
{
    sink++;                                        /* -1 */
}

__attribute__((noinline)) static void within(int i)
{
    if (i & 1)                                     /* ~12 */
        sink++;                                    /* ~6 */
}

__attribute__((noinline)) static int looping(int n)
{
    before();                                      /* =1 */
    PROFPLUG_LOOP("batches")
    for (int i = 0; i < n; i++) {
        within(i);                                 /* =12 */
        if (i == 100)                              /* =12 */
            return 1;                              /* =0 */
    }
    before_end:
    sink--;                                        /* =1 */
    if (n < 0)                                     /* =1 */
        goto before_end;
    return 0;                                      /* =1 */
}

int main(void)
{
    int sum = 0;                                   /* -1 */
    for (int i = 0; i < 3; i++)
        sum += stage(10);                          /* -3 */
    for (int i = 0; i < 12; i++)
        sum += elsewhere(i);                       /* -12 */
    sum += looping(12);                            /* -1 */
    printf("%d\n", sum);                           /* -1 */
    return 7;                                      /* -1 */
}
