/* SPDX-License-Identifier: MIT */
/* each.c: threads at the same time, each of which does one thing: computes, writes and reads what needs no disk, asks
 * for files' attributes, touches new pages, makes system calls of its own. Prints "NAME ns" for the function of each,
 * by its thread's CPU clock. */
#define _GNU_SOURCE
#include "truth.h"
#include <fcntl.h>
#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#define PAGE 4096
#define ROOM (32l << 20)
static volatile long sink;
static long per_ms;
static int null_fd, zero_fd;
static pthread_barrier_t all_begin, all_end; /* no thread takes over another one's tables */

__attribute__((noinline)) static void computes(void) { BURN(150 * per_ms); }

__attribute__((noinline)) static void writes(void)
{
    for (int i = 0; i < 400000; i++)
        sink += write(null_fd, "", 1);
}

__attribute__((noinline)) static void reads(void)
{
    static char buffer[1 << 16];
    for (int i = 0; i < 50000; i++)
        sink += read(zero_fd, buffer, sizeof buffer);
}

__attribute__((noinline)) static void asks(void)
{
    struct stat status;
    for (int i = 0; i < 150000; i++)
        sink += stat("/tmp", &status);
}

__attribute__((noinline)) static void touches(void)
{
    char *room = mmap(NULL, (size_t)ROOM, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED || madvise(room, (size_t)ROOM, MADV_NOHUGEPAGE))
        exit(2);
    for (int i = 0; i < 6; i++) {
        for (long at = 0; at < ROOM; at += PAGE)
            room[at] = 1;
        madvise(room, (size_t)ROOM, MADV_DONTNEED);
    }
    munmap(room, (size_t)ROOM);
}

__attribute__((noinline)) static void wakes(void)
{
    static int word;
    for (int i = 0; i < 500000; i++)
        sink += syscall(SYS_futex, &word, FUTEX_WAKE, 1, NULL, NULL, 0);
}

static struct kind {
    const char *name;
    void (*run)(void);
    uint64_t ns;
} kind[] = { { "computes", computes, 0 }, { "writes", writes, 0 },   { "reads", reads, 0 },
             { "asks", asks, 0 },         { "touches", touches, 0 }, { "wakes", wakes, 0 } };
enum { KINDS = sizeof kind / sizeof *kind };

static void *work(void *given)
{
    struct kind *k = given;
    pthread_barrier_wait(&all_begin);
    uint64_t begun = cpu_ns();
    k->run();
    k->ns = cpu_ns() - begun;
    pthread_barrier_wait(&all_end);
    return NULL;
}

int main(void)
{
    pthread_t thread[KINDS];
    per_ms = burn_calibrate();
    null_fd = open("/dev/null", O_WRONLY);
    zero_fd = open("/dev/zero", O_RDONLY);
    pthread_barrier_init(&all_begin, NULL, KINDS);
    pthread_barrier_init(&all_end, NULL, KINDS);
    for (int i = 0; i < KINDS; i++)
        if (pthread_create(&thread[i], NULL, work, &kind[i]))
            return 2;
    for (int i = 0; i < KINDS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < KINDS; i++)
        printf("%s %" PRIu64 "\n", kind[i].name, kind[i].ns);
    return 0;
}
