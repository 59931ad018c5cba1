/* SPDX-License-Identifier: MIT */
/* item.c: ROUNDS SECONDS BATON ROLE: short items of work, each clocked. Two of this program, one with probes and one without, take turns by the word
 * in BATON, so that what else the machine does hits both. An item makes no blocking call: one that gave up the CPU was made to wait by us. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <profplug.h>

#define OUTSIDE __attribute__((no_instrument_function, noinline))
enum { TURN = 20, MOST = 2000000 };

struct item { uint32_t wall_ns, cpu_ns; uint16_t waits, preemptions, faults, reserved; };
static struct item *items;
static volatile double sink;

OUTSIDE static uint64_t clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static __attribute__((noinline)) double small(double x) { return x * 1.0000001 + 0.5; }

static __attribute__((noinline)) double middle(long rounds)
{
    double x = 1;
    for (long i = 0; i < rounds; i++)
        x += small(x) / (x + (double)i);
    return x;
}

PROFPLUG_STAGE("part") static __attribute__((noinline)) double part(long rounds)
{
    PROFPLUG_SCOPE("inner");
    void *block = malloc(100 + (size_t)rounds % 1000);
    double x = block ? middle(rounds) : 0;
    free(block);
    return x;
}

PROFPLUG_STAGE("item") static __attribute__((noinline)) void item(long rounds)
{
    PROFPLUG_LOOP("parts")
    for (int i = 0; i < 4; i++)
        sink += part(rounds / 4);
}

OUTSIDE static void turn_wait(_Atomic uint32_t *baton, uint32_t role)
{
    static const struct timespec soon = { 0, 10000000 };
    for (uint32_t seen; (seen = atomic_load(baton)) != role && !atomic_load(baton + 1);)
        syscall(SYS_futex, baton, FUTEX_WAIT, seen, &soon, 0, 0);
}

OUTSIDE static void turn_pass(_Atomic uint32_t *baton, uint32_t role)
{
    atomic_store(baton, !role);
    syscall(SYS_futex, baton, FUTEX_WAKE, 1, 0, 0, 0);
}

OUTSIDE static void item_clocked(struct item *result, long rounds)
{
    struct rusage before, after;
    getrusage(RUSAGE_THREAD, &before);
    uint64_t cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID), wall = clock_ns(CLOCK_MONOTONIC);
    item(rounds);
    result->wall_ns = (uint32_t)(clock_ns(CLOCK_MONOTONIC) - wall);
    result->cpu_ns = (uint32_t)(clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu);
    getrusage(RUSAGE_THREAD, &after);
    result->waits = (uint16_t)(after.ru_nvcsw - before.ru_nvcsw);
    result->preemptions = (uint16_t)(after.ru_nivcsw - before.ru_nivcsw);
    result->faults = (uint16_t)(after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt);
}

OUTSIDE static int run(int argc, char **argv)
{
    if (argc == 2) {                     /* how many rounds make 100 us */
        long rounds = atol(argv[1]);
        uint64_t best = UINT64_MAX;
        for (int i = 0; i < 200; i++) {
            uint64_t t = clock_ns(CLOCK_MONOTONIC);
            item(rounds);
            t = clock_ns(CLOCK_MONOTONIC) - t;
            best = t < best ? t : best;
        }
        printf("%ld\n", (long)((double)rounds * 100000 / (double)best));
        return 0;
    }
    if (argc != 5)
        return 2;
    long rounds = atol(argv[1]);
    uint64_t seconds = strtoull(argv[2], 0, 10);
    uint32_t role = argv[4][0] == '1';
    int fd = open(argv[3], O_RDWR);
    _Atomic uint32_t *baton = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    items = mmap(0, MOST * sizeof *items, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (baton == MAP_FAILED || items == MAP_FAILED)
        return 2;
    uint32_t count = 0;
    for (uint64_t end = clock_ns(CLOCK_MONOTONIC) + seconds * 1000000000u; clock_ns(CLOCK_MONOTONIC) < end && count + TURN <= MOST;) {
        turn_wait(baton, role);
        if (atomic_load(baton + 1))
            break;                       /* the other one is through */
        for (int i = 0; i < TURN; i++)
            item_clocked(&items[count++], rounds);
        turn_pass(baton, role);
    }
    atomic_store(baton + 1, 1);
    turn_pass(baton, role);
    for (uint32_t i = 0; i < count; i++)
        printf("%" PRIu32 " %" PRIu32 " %u %u %u\n", items[i].wall_ns, items[i].cpu_ns, items[i].waits, items[i].preemptions, items[i].faults);
    return 0;
}

int main(int argc, char **argv) { return run(argc, argv); }
