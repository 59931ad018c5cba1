/* SPDX-License-Identifier: MIT */
/* touch.c: memory that is asked for at one line and touched at another. It prints for each phase its name, the lines
 * that asked and that touched, the page faults that the kernel counted meanwhile, the bytes touched in whole pages, and
 * the CPU time. */
#define _GNU_SOURCE
#include <malloc.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#define PAGE 4096
#define LARGE (64u << 20)
#define SMALL (256u << 10)

static char *kept[8];
static volatile unsigned sink;

static long faults_now(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_minflt + usage.ru_majflt;
}

static long long cpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static uintptr_t whole(const char *block) { return ((uintptr_t)block + PAGE - 1) & ~(uintptr_t)(PAGE - 1); }

/* Until the thread had so much CPU time, a part of the whole pages of each block is touched, from the beginning. */
#define PHASE(name, seconds, rounds, bytes, part, ask, give)                                                              \
    __attribute__((noinline)) static void name(void)                                                                      \
    {                                                                                                                     \
        long faults = faults_now(), line = 0, asked = 0;                                                                  \
        long long touched = 0, begun = cpu_now();                                                                         \
        for (int round = 0; (rounds) ? round < (rounds) : cpu_now() - begun < (seconds) * 1e9; round++) {                 \
            char *block = ask;                                                                                            \
            asked = __LINE__;                                                                                             \
            if (!block)                                                                                                   \
                exit(1);                                                                                                  \
            line = touch_##name((char *)whole(block), (bytes) / PAGE / (part), &touched);                                 \
            give;                                                                                                         \
        }                                                                                                                 \
        printf("%s %ld %ld %ld %lld %lld\n", #name, asked, line, faults_now() - faults, touched, cpu_now() - begun);      \
    }
#define TOUCH(name)                                                                                                       \
    __attribute__((noinline)) static int touch_##name(char *at, long pages, long long *touched)                           \
    {                                                                                                                     \
        *touched += pages * PAGE;                                                                                         \
        for (long i = 0; i < pages; i++)                                                                                  \
            at[i * PAGE] = 1;                                                                                             \
        return __LINE__;                                                                                                  \
    }

TOUCH(large)
TOUCH(zeroed)
TOUCH(grown)
TOUCH(mapped)
TOUCH(live)
PHASE(large, 1, 0, LARGE - PAGE, 1, malloc(LARGE), free(block))
PHASE(zeroed, 0.7, 0, SMALL - PAGE, 2, calloc(1, SMALL), free(block))
PHASE(grown, 0, 15, 4 * LARGE / 16 - PAGE, 1, realloc(malloc(LARGE / 16), LARGE / 4), free(block))
PHASE(mapped, 1.2, 0, LARGE, 1,
      mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), munmap(block, LARGE))
PHASE(live, 0, 8, LARGE / 4 - PAGE, 2, malloc(LARGE / 4), kept[round] = block)

/* Allocates and never touches. */
__attribute__((noinline)) static void untouched(void)
{
    int line = 0;
    for (int i = 0; i < 100; i++) {
        char *block = malloc(LARGE); line = __LINE__;
        if (!block)
            exit(1);
        kept[0] = block;
        free(block);
    }
    printf("untouched %d 0 0 0 0\n", line);
}

__attribute__((noinline)) static int compute(void)
{
    for (int i = 0; i < 300000000; i++)
        sink = sink * 3 + 1;
    return __LINE__ - 1;
}

/* Two lines take faults in turns of 30 us, and a third one computes between them. */
__attribute__((noinline)) static int touch_most(char *at, int pages)
{
    for (int i = 0; i < pages; i++)
        at[i * PAGE] = 1;
    return __LINE__ - 1;
}

__attribute__((noinline)) static int touch_few(char *at, int pages)
{
    for (int i = 0; i < pages; i++)
        at[i * PAGE] = 2;
    return __LINE__ - 1;
}

__attribute__((noinline)) static int between(int rounds)
{
    for (int i = 0; i < rounds; i++)
        sink = sink * 3 + 1;
    return __LINE__ - 1;
}

static void turns(void)
{
    long most = 0, few = 0, line = 0, other = 0, none = 0;
    for (long long begun = cpu_now(); cpu_now() - begun < 1500000000;) {
        char *at = mmap(NULL, LARGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0), *end = at + LARGE;
        if (at == MAP_FAILED)
            exit(1);
        for (char *page = at; page + 10 * PAGE <= end; page += 10 * PAGE, most += 8, few += 2) {
            line = touch_most(page, 8);
            none = between(5000);
            other = touch_few(page + 8 * PAGE, 2);
        }
        munmap(at, LARGE);
    }
    printf("most 0 %ld %ld 0 0\nfew 0 %ld %ld 0 0\nbetween 0 %ld 0 0 0\n", line, most, other, few, none);
}

int main(void)
{
    mallopt(M_MMAP_THRESHOLD, 128 << 10); /* also after the first large block was freed, so that all are fresh */
    setvbuf(stdout, NULL, _IOLBF, 0);
    large();
    zeroed();
    grown();
    mapped();
    untouched();
    live();
    turns();
    printf("compute 0 %d 0 0 0\n", compute());
    return kept[1] == kept[7];
}
