/* SPDX-License-Identifier: MIT */
/* turns.c ROUNDS: two threads that take turns by pipes; each has a line that computes, for tens of microseconds a turn.
 * On one CPU the one that is woken takes it in the middle of the other's write. Prints "LINE ns" for each, by the
 * thread's CPU clock around its turns. */
#include "truth.h"
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static int lines[2], fds[2][2];
static long rounds, batch;
static uint64_t own_ns[2];

static void wait_for(int who)
{
    char byte;
    if (read(fds[who][0], &byte, 1) != 1)
        abort();
}

static void hand_to(int who)
{
    if (write(fds[who][1], "x", 1) != 1)
        abort();
}

static __attribute__((noinline)) void first_work(void)
{
    lines[0] = __LINE__ + 1;
    BURN(2 * batch);
}

static __attribute__((noinline)) void second_work(void)
{
    lines[1] = __LINE__ + 1;
    BURN(3 * batch);
}

static void *second(void *unused)
{
    for (long i = 0; i < rounds; i++) {
        wait_for(1);
        uint64_t begun = cpu_ns();
        second_work();
        own_ns[1] += cpu_ns() - begun;
        hand_to(0);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    rounds = argc > 1 ? atol(argv[1]) : 5000;
    batch = burn_calibrate() / 70;
    if (pipe(fds[0]) || pipe(fds[1]) || pthread_create(&thread, NULL, second, NULL))
        return 2;
    for (long i = 0; i < rounds; i++) {
        uint64_t begun = cpu_ns();
        first_work();
        own_ns[0] += cpu_ns() - begun;
        hand_to(1);
        wait_for(0);
    }
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++)
        printf("%d %" PRIu64 "\n", lines[i], own_ns[i]);
    return 0;
}
