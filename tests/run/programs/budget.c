/* SPDX-License-Identifier: MIT */
/* A fixed piece of work, and the CPU time that it took by the program's own clock.
 *   samples      nothing but work
 *   stages N     N entries of a stage that does next to nothing, within another */
#include "expect.h"
#include <stdlib.h>

static volatile unsigned long long sink;

QUIET static unsigned long long cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}

KEEP void burn(unsigned rounds) { for (unsigned i = 0; i < rounds; i++) sink += i * i; }
PROFPLUG_STAGE("short", "compute") KEEP void little(unsigned i) { for (unsigned k = 0; k < 40; k++) sink += i * k; }
PROFPLUG_STAGE("whole", "compute") KEEP void whole(unsigned times) { for (unsigned i = 0; i < times; i++) little(i); }

int main(int argc, char **argv)
{
    unsigned times = argc > 2 ? (unsigned)atoi(argv[2]) : 0;
    unsigned long long start = cpu_ns();
    if (times) whole(times);
    else burn(150000000);
    unsigned long long took = cpu_ns() - start;
    printf("cpu %llu\n", took);
    fflush(stdout);
    expect("stage short stage %u", times);
    expect("exit EXIT 0");
    return 0;
}
