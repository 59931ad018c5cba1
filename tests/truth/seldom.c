/* SPDX-License-Identifier: MIT */
/* A thread that works for less than a tick of the kernel, forty times a second: two functions, and their CPU time in ns
 * by the thread's clock. */
#include <stdint.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 130, PAUSE_US = 20000, STEPS = 12000 };
static volatile double sink;

static int64_t cpu_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

__attribute__((noinline)) static void longer(void)
{
    for (int i = 1; i < 2 * STEPS; i++)
        sink += 1.0 / i;
}

__attribute__((noinline)) static void shorter(void)
{
    for (int i = 1; i < STEPS; i++)
        sink += 2.0 / i;
}

int main(void)
{
    int64_t longer_ns = 0, shorter_ns = 0;
    for (int i = 0; i < ROUNDS; i++) {
        usleep(PAUSE_US);
        int64_t begun = cpu_ns();
        longer();
        int64_t middle = cpu_ns();
        shorter();
        longer_ns += middle - begun;
        shorter_ns += cpu_ns() - middle;
    }
    printf("longer %lld\nshorter %lld\n", (long long)longer_ns, (long long)shorter_ns);
}
