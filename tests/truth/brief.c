/* SPDX-License-Identifier: MIT */
/* Short transfers: 200,000 reads of a file that is in memory, small ones and now and then a large one, from one line. Says the line, the bytes and how
 * long all of them took together by its own clocks, of the wall and of the CPU. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#define SMALL 64u
#define LARGE 65536u
#define READS 200000u

static char block[LARGE];

static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(int argc, char **argv)
{
    int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT | O_TRUNC, 0600) : -1;
    if (fd < 0 || write(fd, block, sizeof block) != sizeof block) return 1;
    uint64_t bytes = 0, random = 88172645463325252u, start = clock_ns(CLOCK_MONOTONIC), worked = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (unsigned i = 0; i < READS; i++) {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        ssize_t n = pread(fd, block, random % 16 ? SMALL : LARGE, 0); int line = __LINE__;
        bytes += (uint64_t)n;
        if (i == READS - 1) printf("%d %u %llu %llu %llu\n", line, READS, (unsigned long long)bytes, (unsigned long long)(clock_ns(CLOCK_MONOTONIC) - start),
                                     (unsigned long long)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - worked));
    }
    return 0;
}
