/* SPDX-License-Identifier: MIT */
/* wrapped.c: blocks are allocated and freed, and numbers are multiplied, in turn. Prints the thread's CPU time of both, in ns. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { TURNS = 300, KEPT = 4 };

static uint64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) void allocate(void)
{
    static void *kept[KEPT];
    for (unsigned i = 0; i < 180000; i++) {
        free(kept[i % KEPT]);
        kept[i % KEPT] = malloc(40);
    }
}

static __attribute__((noinline)) uint64_t multiply(uint64_t product)
{
    for (unsigned i = 0; i < 1200000; i++)
        product = product * 6364136223846793005u + i;
    return product;
}

int main(void)
{
    uint64_t product = 1, spent[2] = { 0, 0 };
    for (int turn = 0; turn < TURNS; turn++) {
        uint64_t begun = cpu_ns();
        allocate();
        uint64_t between = cpu_ns();
        product = multiply(product);
        spent[0] += between - begun;
        spent[1] += cpu_ns() - between;
    }
    printf("%llu %llu\n", (unsigned long long)spent[0], (unsigned long long)spent[1]);
    return product == 0;
}
