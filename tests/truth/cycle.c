/* SPDX-License-Identifier: MIT */
/* cycle.c: prints how many picoseconds a cycle of the processor takes, by additions that wait for each other. SHIFT
 * bytes of code lie before main and the runtime. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>

__asm__(".text\n.globl shifted\nshifted: .skip " SHIFT ", 0x90\nret\n");

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void)
{
    enum { ADDITIONS = 1 << 20 };
    uint64_t least = UINT64_MAX;
    for (int group = 0; group < 40; group++) {
        uint64_t begun = now(), sum = begun;
        for (unsigned i = 0; i < ADDITIONS / 8; i++)
            __asm__ volatile(".rept 8\n add %0, %0\n .endr" : "+r"(sum));
        uint64_t took = now() - begun;
        least = took < least ? took : least;
    }
    printf("%llu\n", (unsigned long long)(least * 1000 / ADDITIONS));
    return 0;
}
