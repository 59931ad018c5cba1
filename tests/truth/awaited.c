/* SPDX-License-Identifier: MIT */
/* awaited.c: works for a moment, and prints the wall time from its first statement to its last, in ns. */
#include <stdio.h>
#include <time.h>

static long now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000L + t.tv_nsec;
}

int main(void)
{
    long begun = now();
    volatile unsigned sum = 1;
    for (unsigned i = 0; i < 300000; i++)
        sum = sum * 1664525u + i;
    printf("worked %ld\n", now() - begun);
    return 0;
}
