/* SPDX-License-Identifier: MIT */
/* taken.c FOLDER: threads that share one CPU open and close a file, and one of them closes much memory now and then, at the same line. Prints what, the lines of open and close, and
 * their CPU time in ns by the threads' own clocks, which are read around some hundred pairs at once, and around each long close. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

enum { THREADS = 8, ROUNDS = 40, PAIRS = 250, BYTES = 48 << 20 };
static _Atomic uint64_t pairs_ns, long_ns;
static char path[4096];
static int open_line, close_line;

static uint64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

__attribute__((noinline)) static int opened(void) { open_line = __LINE__; return open(path, O_RDONLY); }
__attribute__((noinline)) static void closed(int fd) { close_line = __LINE__; close(fd); }

static void *works(void *memory)
{
    for (int round = 0; round < ROUNDS; round++) {
        uint64_t begun = now();
        for (int i = 0; i < PAIRS; i++) closed(opened());
        pairs_ns += now() - begun;
        if (!memory || round % 8) continue;
        int fd = memfd_create("much", 0);
        if (fd < 0 || posix_fallocate(fd, 0, BYTES)) exit(2);
        begun = now();
        closed(fd);
        long_ns += now() - begun;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    cpu_set_t all, one;
    snprintf(path, sizeof path, "%s/file", argc > 1 ? argv[1] : ".");
    close(open(path, O_CREAT | O_RDWR, 0600));
    CPU_ZERO(&one);
    if (sched_getaffinity(0, sizeof all, &all)) return 3;
    for (int i = 0; i < CPU_SETSIZE && !CPU_COUNT(&one); i++)
        if (CPU_ISSET(i, &all)) CPU_SET(i, &one);
    if (sched_setaffinity(0, sizeof one, &one)) return 4;
    for (int i = 0; i < THREADS; i++)
        if (pthread_create(&thread[i], NULL, works, i ? NULL : path)) return 5;
    for (int i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    printf("pairs %d %d %llu\nlong %d %d %llu\n", open_line, close_line, (unsigned long long)pairs_ns, open_line, close_line, (unsigned long long)long_ns);
    return 0;
}
