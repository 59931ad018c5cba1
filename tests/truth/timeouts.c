/* SPDX-License-Identifier: MIT */
/* timeouts.c: reads with a timeout, as a handler leaves each by siglongjmp. Then a function works and never waits.
 * Prints how long the reads took by the program's clock, and the work, in nanoseconds. */
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/time.h>
#include <unistd.h>

#include "truth.h"

static sigjmp_buf timeout;
static int pipes[2];
static volatile uint64_t sink;

static void on_alarm(int number)
{
    (void)number;
    siglongjmp(timeout, 1);
}

__attribute__((noinline)) static int get(void)
{
    char byte;
    return (int)read(pipes[0], &byte, 1); /* read */
}

__attribute__((noinline)) static void work(uint64_t time_ns)
{
    for (uint64_t begun_ns = cpu_ns(); cpu_ns() - begun_ns < time_ns;)
        for (int i = 0; i < 2000; i++)
            sink += (uint64_t)i;
}

int main(void)
{
    volatile uint64_t waited_ns = 0, worked_ns = 0;
    signal(SIGALRM, on_alarm);
    if (pipe(pipes))
        return 1;
    for (volatile int i = 0; i < 40; i++) {
        volatile uint64_t begun_ns = now_ns();
        if (!sigsetjmp(timeout, 1)) {
            setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 10000 }, NULL);
            sink += (uint64_t)get();
        }
        waited_ns += now_ns() - begun_ns;
        begun_ns = now_ns();
        work(5000000);
        worked_ns += now_ns() - begun_ns;
    }
    printf("%llu %llu\n", (unsigned long long)waited_ns, (unsigned long long)worked_ns);
    return 0;
}
