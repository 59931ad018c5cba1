/* SPDX-License-Identifier: MIT */
/* returned.c: blocks of an item are got, filled and freed. The C library gives their memory back to the kernel in some of
 * the frees. Says "free LINE NS TIMES": what all frees took by the thread's CPU clock, and how many took 2 us or more. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ITEMS = 6000, BLOCKS = 5, BYTES = 60000 };

static unsigned long cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (unsigned long)t.tv_sec * 1000000000 + (unsigned long)t.tv_nsec;
}

int main(void)
{
    unsigned long freed_ns = 0, times = 0, sum = 0;
    unsigned char *block[BLOCKS];
    int line = 0;
    for (int i = 0; i < ITEMS; i++) {
        for (int k = 0; k < BLOCKS; k++)
            block[k] = malloc(BYTES);
        for (int k = 0; k < BLOCKS; k++)
            memset(block[k], i, BYTES);
        for (int k = 0; k < 5000; k++)
            sum = (sum ^ block[k % BLOCKS][k]) * 0x9e3779b97f4a7c15u;
        for (int k = BLOCKS - 1; k >= 0; k--) {
            unsigned long begun = cpu_ns();
            free(block[k]), line = __LINE__;
            begun = cpu_ns() - begun;
            freed_ns += begun;
            times += begun >= 2000;
        }
    }
    printf("free %d %lu %lu\n", line, freed_ns, times);
    return sum == 1;
}
