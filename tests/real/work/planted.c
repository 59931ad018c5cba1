/* SPDX-License-Identifier: MIT */
/* planted.c: a function whose cost is known, for the test of how often a change of it is found: planted_work takes STEPS
 * multiplications that wait for each other. Every EVERY-th call enters a stage, which takes STAGE_STEPS. */
#include <profplug.h>

void planted_work(void);

#define MULTIPLY(steps)                                                               \
    do {                                                                              \
        unsigned long left = (steps), value = 3;                                      \
        if (left)                                                                     \
            __asm__ volatile("1: imul %1, %1\n dec %0\n jnz 1b" : "+r"(left), "+r"(value)); \
    } while (0)

PROFPLUG_STAGE("planted", "compute") static __attribute__((noinline)) void planted_stage(void)
{
    MULTIPLY(STAGE_STEPS);
}

__attribute__((noinline)) void planted_work(void)
{
    static unsigned calls;
    MULTIPLY(STEPS);
    if (++calls % EVERY == 0)
        planted_stage();
}
