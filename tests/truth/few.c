/* SPDX-License-Identifier: MIT */
/* few.c: lines that wait a few times for some milliseconds, before and after thousands of short waits. Prints for each
 * "LINE operation calls wall cpu taken_off": how long all its calls took together by its own clocks (bracket.h). */
#define _GNU_SOURCE
#include "bracket.h"
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <unistd.h>

#define SHORT 3000

static int epoll;
static struct bracket all;

static void tell(int line, const char *what, int calls)
{
    printf("%d %s %d %.0f %.0f %ld\n", line, what, calls, all.at, all.cpu, all.taken_off);
    all = (struct bracket){ 0 };
}

/* Waits once, within its caller's line. */
#define TAKES(call)                                                                              \
    do {                                                                                         \
        struct bracket b_ = bracket_begin();                                                     \
        call;                                                                                    \
        b_ = bracket_end(b_);                                                                    \
        all.at += b_.at, all.cpu += b_.cpu, all.taken_off += b_.taken_off;                       \
    } while (0)
#define LINE(name, call)                                                                         \
    __attribute__((noinline)) static int name(void) { TAKES(call); return __LINE__; }

LINE(nap, nanosleep(&(struct timespec){ 0, 5000000 }, NULL))
LINE(rest, usleep(5000))
LINE(look, poll(NULL, 0, 5))
LINE(event, struct epoll_event e; epoll_wait(epoll, &e, 1, 5))
LINE(late_nap, nanosleep(&(struct timespec){ 0, 5000000 }, NULL))
LINE(late_rest, usleep(5000))
LINE(late_look, poll(NULL, 0, 5))
LINE(late_event, struct epoll_event e; epoll_wait(epoll, &e, 1, 5))

/* The same line in two ways. */
__attribute__((noinline)) static int first(int (*line)(void), int times)
{
    int at = 0;
    for (int i = 0; i < times; i++)
        at = line();
    return at;
}
__attribute__((noinline)) static int second(int (*line)(void), int times)
{
    int at = 1;
    while (times-- > 0)
        at = line();
    return at;
}

int main(void)
{
    epoll = epoll_create1(0);
    tell(first(nap, 2), "sleep", 2);
    first(rest, 1);
    tell(second(rest, 1), "sleep", 2);
    first(look, 7);
    tell(second(look, 5), "poll", 12);
    tell(first(event, 12), "poll", 12);
    for (int i = 0; i < SHORT; i++)
        nanosleep(&(struct timespec){ 0, 20000 }, NULL);
    tell(first(late_nap, 2), "sleep", 2);
    first(late_rest, 1);
    tell(second(late_rest, 1), "sleep", 2);
    first(late_look, 7);
    tell(second(late_look, 5), "poll", 12);
    tell(first(late_event, 12), "poll", 12);
    return 0;
}
