/* SPDX-License-Identifier: MIT */
/* direct.c: a line that asks the kernel by `syscall`, for half a second. Prints "LINE ns" by the thread's CPU clock. */
#define _GNU_SOURCE
#include "truth.h"
#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

static uint32_t word;

int main(void)
{
    uint64_t begun = cpu_ns();
    int line = __LINE__ + 3;
    do
        for (int i = 0; i < 10000; i++)
            syscall(SYS_futex, &word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
    while (cpu_ns() - begun < 500000000);
    printf("%d %" PRIu64 "\n", line, cpu_ns() - begun);
    return 0;
}
