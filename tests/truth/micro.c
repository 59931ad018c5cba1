/* SPDX-License-Identifier: MIT */
/* micro.c: a stage of microseconds that reads in one of eight entries, and much more in the first ones. In most entries
 * its metrics are not read. */
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

enum { ENTRIES = 60000, FIRST = 20, LARGE = 1 << 20, SMALL = 500 };
static char block[LARGE];
static uint64_t bytes, reads;

PROFPLUG_STAGE("micro", "io") static __attribute__((noinline)) void micro(int zero, int i, uint32_t random)
{
    size_t size = i < FIRST ? LARGE : random % 8 == 0 ? SMALL : 0;
    BURN(1000);
    if (size && read(zero, block, size) != (ssize_t)size)
        abort();
    bytes += size;
    reads += size != 0;
}

int main(void)
{
    int zero = open("/dev/zero", O_RDONLY);
    uint32_t random = 7;
    for (int i = 0; i < ENTRIES; i++) {
        random = random * 1664525u + 1013904223u;
        micro(zero, i, random >> 12);
    }
    expect_exact("stages", "micro", "calls", ENTRIES);
    printf("stages micro read_bytes %" PRIu64 " 0\nstages micro reads %" PRIu64 " scaled\n", bytes, reads);
    return 0;
}
