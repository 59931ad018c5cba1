/* SPDX-License-Identifier: MIT */
/* entries.c ENTRIES: a stage that is entered so often, for 0.15 ms each. Prints what it takes to read the kernel's
 * numbers of a thread at both ends of an entry, in ns, measured between such work. */
#define _GNU_SOURCE
#include "truth.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <unistd.h>

static long batch;

__attribute__((noinline, profile_stage("short"))) static void work(void) { BURN(batch); }

static int ascending(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
    enum { TRIES = 101 };
    static uint64_t took_ns[TRIES];
    int io = open("/proc/thread-self/io", O_RDONLY), statm = open("/proc/self/statm", O_RDONLY);
    char text[256];
    struct rusage usage;
    batch = burn_calibrate() * 3 / 20;
    for (long i = argc > 1 ? atol(argv[1]) : 3000; i > 0; i--)
        work();
    for (int i = 0; i < TRIES; i++) {
        BURN(batch);
        took_ns[i] = now_ns();
        if (pread(io, text, sizeof text, 0) <= 0 || pread(statm, text, sizeof text, 0) <= 0 ||
            getrusage(RUSAGE_THREAD, &usage) || !cpu_ns())
            return 2;
        took_ns[i] = now_ns() - took_ns[i];
    }
    qsort(took_ns, TRIES, sizeof *took_ns, ascending);
    printf("%" PRIu64 "\n", 2 * took_ns[TRIES / 2]);
    return 0;
}
