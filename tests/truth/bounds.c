/* SPDX-License-Identifier: MIT */
/* bounds.c: stages that only compute, one whose time is the kernel's, and one that calls itself. Prints the CPU time of
 * the last one, by the thread's clock. */
#define _GNU_SOURCE
#include "truth.h"
#include <fcntl.h>
#include <profplug.h>
#include <unistd.h>

static long per_ms;

#define STAGE(name)                                                                          \
    PROFPLUG_STAGE(#name)                                                                    \
    __attribute__((noinline)) static void name(long ms)                                      \
    {                                                                                        \
        for (long i = 0; i < ms; i++)                                                        \
            BURN(per_ms);                                                                    \
    }
STAGE(first) STAGE(second) STAGE(third) STAGE(fourth)

PROFPLUG_STAGE("reads") __attribute__((noinline)) static void reads(int fd, int times)
{
    static char room[65536];
    for (int i = 0; i < times; i++)
        if (read(fd, room, sizeof room) < 0)
            return;
}

PROFPLUG_STAGE("again") __attribute__((noinline)) static void again(int depth)
{
    BURN(per_ms / 2);
    if (depth)
        again(depth - 1);
    __asm__ volatile("" ::: "memory"); /* no jump */
}

int main(void)
{
    uint64_t cpu = 0;
    int fd = open("/dev/zero", O_RDONLY);
    per_ms = burn_calibrate();
    for (int i = 0; i < 20; i++) {
        first(3), second(4), third(5), fourth(3);
        reads(fd, 300);
        cpu -= cpu_ns();
        again(9);
        cpu += cpu_ns();
    }
    printf("%" PRIu64 "\n", cpu);
    return 0;
}
