/* SPDX-License-Identifier: MIT */
/* release.c FILE: opens and closes that free what a large file holds in memory, which takes CPU time. The program reads the
 * clocks around them itself: lines "open WALL CPU" and "close WALL CPU", in ns, each the sum of all calls. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { TIMES = 5, BYTES = 64 << 20 };
struct spent {
    unsigned long long wall, cpu;
};

static unsigned long long clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec;
}
static void begin(struct spent *s)
{
    s->cpu -= clock_ns(CLOCK_THREAD_CPUTIME_ID);
    s->wall -= clock_ns(CLOCK_MONOTONIC);
}
static void end(struct spent *s)
{
    s->wall += clock_ns(CLOCK_MONOTONIC);
    s->cpu += clock_ns(CLOCK_THREAD_CPUTIME_ID);
}
static void fill(int fd)
{
    static char block[1 << 20];
    for (int done = 0; done < BYTES; done += (int)sizeof block)
        if (write(fd, block, sizeof block) != (ssize_t)sizeof block) {
            perror("write");
            exit(77);
        }
}
/* Functions of their own, whose calls are not the last thing that they do. */
__attribute__((noinline)) static int open_empty(const char *path)
{
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC, 0600);
    __asm__ volatile("" : "+r"(fd));
    return fd;
}
__attribute__((noinline)) static void close_last(int fd)
{
    close(fd);
    __asm__ volatile("");
}

int main(int argc, char **argv)
{
    struct spent opened = { 0 }, closed = { 0 };
    int fd = argc > 1 ? open(argv[1], O_RDWR | O_CREAT, 0600) : -1;
    if (fd < 0)
        return 77;
    for (int i = 0; i < TIMES; i++) {
        fill(fd);
        begin(&opened);
        int again = open_empty(argv[1]);
        end(&opened);
        fill(again);
        unlink(argv[1]);
        close(fd);
        begin(&closed);
        close_last(again);
        end(&closed);
        fd = open(argv[1], O_RDWR | O_CREAT, 0600);
    }
    unlink(argv[1]);
    printf("open %llu %llu\nclose %llu %llu\n", opened.wall, opened.cpu, closed.wall, closed.cpu);
    return 0;
}
