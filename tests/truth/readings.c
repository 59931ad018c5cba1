/* SPDX-License-Identifier: MIT */
/* readings.c: looks at descriptors that work in the kernel, of several lines by turns. The runtime reads the CPU clock in
 * some of these calls, which stand for the others. Prints "LINE cpu" of each line, in ns, by the thread's clock. */
#define _GNU_SOURCE
#include "truth.h"
#include <poll.h>
#include <sys/epoll.h>
#include <unistd.h>

enum { MOST = 1000, LINES = 4, ROUNDS = 1000 }; /* MOST: a usual limit of descriptors has room for these */
static struct pollfd list[MOST];
static uint64_t took[LINES];
static int line[LINES];

/* Every eighth call of a line takes four times as long as the others. */
#define LOOK(number, count)                                                             \
    case number: {                                                                      \
        int many_ = (count) * (next() % 8 ? 1 : 4);                                     \
        uint64_t begun_ = cpu_ns();                                                     \
        poll(list, (nfds_t)many_, 0);                                                   \
        took[number] += cpu_ns() - begun_;                                              \
        line[number] = __LINE__;                                                        \
        break;                                                                          \
    }

static uint64_t random_ = 88172645463325252u;
static uint64_t next(void)
{
    random_ ^= random_ << 13, random_ ^= random_ >> 7, random_ ^= random_ << 17;
    return random_ >> 20;
}

int main(void)
{
    int channel[2], epoll = epoll_create1(0); /* whose own list is looked through each time */
    struct epoll_event event = { .events = EPOLLIN };
    if (pipe(channel) || epoll_ctl(epoll, EPOLL_CTL_ADD, channel[0], &event))
        return 2;
    random_ += (uint64_t)getpid() << 32;
    for (int i = 0; i < MOST; i++)
        list[i] = (struct pollfd){ .fd = epoll, .events = POLLIN };
    for (int i = 0; i < ROUNDS * LINES; i++)
        switch (next() % LINES) {
            LOOK(0, 250)
            LOOK(1, 150)
            LOOK(2, 90)
            LOOK(3, 50)
        }
    for (int i = 0; i < LINES; i++)
        printf("%d %" PRIu64 "\n", line[i], took[i]);
    return 0;
}
