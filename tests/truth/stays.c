/* SPDX-License-Identifier: MIT */
/* stays.c ROUNDS: a function that stays in the kernel for tens of milliseconds, in calls that nobody wraps, and has
 * hardly any code of its own, and one that computes between. Prints "FUNCTION ns" by the thread's CPU clock. */
#define _GNU_SOURCE
#include "truth.h"
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

enum { BYTES = 4 << 20, TIMES = 20 };
static char from[BYTES], to[BYTES];
static long per_ms;

static __attribute__((noinline)) void copies(void)
{
    struct iovec local = { to, BYTES }, remote = { from, BYTES };
    for (int i = 0; i < TIMES; i++)
        if (process_vm_readv(getpid(), &local, 1, &remote, 1, 0) != BYTES)
            abort();
}

static __attribute__((noinline)) void computes(void) { BURN(15 * per_ms); }

int main(int argc, char **argv)
{
    uint64_t copied_ns = 0, computed_ns = 0;
    per_ms = burn_calibrate();
    for (int i = 0; i < BYTES; i += 4096)
        from[i] = to[i] = 1;
    for (int rounds = argc > 1 ? atoi(argv[1]) : 25; rounds > 0; rounds--) {
        uint64_t begun = cpu_ns();
        copies();
        copied_ns += cpu_ns() - begun;
        begun = cpu_ns();
        computes();
        computed_ns += cpu_ns() - begun;
    }
    printf("copies %" PRIu64 "\ncomputes %" PRIu64 "\n", copied_ns, computed_ns);
    return 0;
}
