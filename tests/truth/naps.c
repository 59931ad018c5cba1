/* SPDX-License-Identifier: MIT */
/* naps.c: lines that wait thousands of times for a tenth of a millisecond and less, of which the calls themselves work
 * a part: sleeps, polls of a timer, and a pause that two functions share, often and shortly in one, seldom and long in
 * the other. Prints "NAME least most": what each function was off the CPU by the thread's clocks, less what it was
 * ready meanwhile and had no CPU, and with that. */
#define _GNU_SOURCE
#include "truth.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>

enum { NAPS = 4000, EXPIRIES = 2500, SHORT = 2000, LONG = 40 };
static int timer, epoll;

/* How long the thread was ready to run and had no CPU. By system calls, so that the runtime books nothing. */
HIDDEN_FROM_PROFILER static uint64_t delay_ns(void)
{
    char text[96] = "";
    int fd = (int)syscall(SYS_openat, AT_FDCWD, "/proc/thread-self/schedstat", O_RDONLY);
    if (fd < 0 || syscall(SYS_read, fd, text, sizeof text - 1) <= 0)
        exit(2);
    syscall(SYS_close, fd);
    char *second = text;
    strtoull(text, &second, 10);
    return strtoull(second, NULL, 10);
}

__attribute__((noinline)) static void pause_for(long ns) { nanosleep(&(struct timespec){ 0, ns }, NULL); }

__attribute__((noinline)) static void naps(void)
{
    for (int i = 0; i < NAPS; i++)
        nanosleep(&(struct timespec){ 0, 50000 }, NULL);
}

__attribute__((noinline)) static void expiries(void)
{
    struct epoll_event event;
    uint64_t times;
    for (int i = 0; i < EXPIRIES; i++)
        if (epoll_wait(epoll, &event, 1, -1) != 1 || read(timer, &times, sizeof times) != sizeof times)
            exit(2);
}

__attribute__((noinline)) static void often(void)
{
    for (int i = 0; i < SHORT; i++)
        pause_for(20000);
}

__attribute__((noinline)) static void seldom(void)
{
    for (int i = 0; i < LONG; i++)
        pause_for(4000000);
}

HIDDEN_FROM_PROFILER static void told(const char *name, void (*run)(void))
{
    uint64_t delay = delay_ns(), cpu = cpu_ns(), wall = now_ns();
    run();
    wall = now_ns() - wall;
    cpu = cpu_ns() - cpu;
    delay = delay_ns() - delay;
    printf("%s %" PRIu64 " %" PRIu64 "\n", name, wall - cpu > delay ? wall - cpu - delay : 0, wall - cpu);
}

int main(void)
{
    const struct itimerspec often_ns = { { 0, 100000 }, { 0, 100000 } };
    timer = timerfd_create(CLOCK_MONOTONIC, 0);
    epoll = epoll_create1(0);
    if (timer < 0 || epoll < 0 || epoll_ctl(epoll, EPOLL_CTL_ADD, timer, &(struct epoll_event){ .events = EPOLLIN }))
        return 2;
    told("naps", naps);
    if (timerfd_settime(timer, 0, &often_ns, NULL))
        return 2;
    told("expiries", expiries);
    told("often", often);
    told("seldom", seldom);
    return 0;
}
