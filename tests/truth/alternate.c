/* SPDX-License-Identifier: MIT */
/* alternate.c: two threads on one CPU that touch new pages, compute and fill memory in turns, each for less than a
 * millisecond. The kernel has half of that, so ticks in user code are rare. Prints "NAME ns" by the threads' clocks. */
#define _GNU_SOURCE
#include "truth.h"
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGE = 4096, PART = 1 << 20, ROUNDS = 250, THREADS = 2 };
static long per_ms;
static uint64_t took[3];
static const char *name[3] = { "touches", "computes", "fills" };

__attribute__((noinline)) static void touches(volatile char *room)
{
    for (long at = 0; at < PART; at += PAGE)
        room[at] = 1;
}

__attribute__((noinline)) static void computes(void) { BURN(per_ms / 4); }

__attribute__((noinline)) static void fills(char *room)
{
    for (long at = 0; at < PART; at += PART / 16)
        memset(room + at, 1, PART / 16);
}

static void taken(int which, uint64_t begun) { __atomic_add_fetch(&took[which], cpu_ns() - begun, __ATOMIC_RELAXED); }

static void *alternate(void *unused)
{
    for (int i = 0; i < ROUNDS; i++) {
        char *room = mmap(NULL, 2 * PART, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (room == MAP_FAILED || madvise(room, 2 * PART, MADV_NOHUGEPAGE))
            return unused;
        uint64_t begun = cpu_ns();
        touches(room);
        taken(0, begun);
        begun = cpu_ns();
        computes();
        taken(1, begun);
        begun = cpu_ns();
        fills(room + PART);
        taken(2, begun);
        munmap(room, 2 * PART);
    }
    return unused;
}

int main(void)
{
    pthread_t thread[THREADS];
    per_ms = burn_calibrate();
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, alternate, NULL))
            return 2;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < 3; i++)
        printf("%s %" PRIu64 "\n", name[i], took[i]);
    return 0;
}
