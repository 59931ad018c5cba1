/* SPDX-License-Identifier: MIT */
/* asleep.c: threads that share a CPU, and then a function that sleeps in a system call of its own, which nobody wraps.
 * Prints "cpu wall" of that function, in ns, by the thread's clocks. */
#define _GNU_SOURCE
#include "truth.h"
#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { THREADS = 3, WORK_MS = 120, SLEEPS = 40, SLEEP_NS = 2000000 };
static long per_ms;

__attribute__((noinline)) static void work(long ms)
{
    for (long i = 0; i < ms; i++)
        BURN(per_ms);
}

static void *worker(void *unused)
{
    work(WORK_MS);
    return unused;
}

__attribute__((noinline)) static void sleep_unseen(int times)
{
    static int word;
    for (int i = 0; i < times; i++)
        syscall(SYS_futex, &word, FUTEX_WAIT, 0, &(struct timespec){ 0, SLEEP_NS }, NULL, 0);
}

int main(void)
{
    pthread_t thread[THREADS];
    per_ms = burn_calibrate();
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, worker, NULL))
            return 2;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    work(WORK_MS);
    uint64_t wall = now_ns(), cpu = cpu_ns();
    sleep_unseen(SLEEPS);
    cpu = cpu_ns() - cpu;
    printf("%" PRIu64 " %" PRIu64 "\n", cpu, now_ns() - wall);
    return 0;
}
