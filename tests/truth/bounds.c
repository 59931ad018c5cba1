/* SPDX-License-Identifier: MIT */
/* bounds.c: stages that only compute, and one whose time is the kernel's. */
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

int main(void)
{
    int fd = open("/dev/zero", O_RDONLY);
    per_ms = burn_calibrate();
    for (int i = 0; i < 20; i++) {
        first(3), second(4), third(5), fourth(3);
        reads(fd, 300);
    }
    return 0;
}
