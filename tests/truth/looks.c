/* SPDX-License-Identifier: MIT */
/* looks.c: calls that could wait, and return at once, many times; and one that does wait. Prints "LINE wall cpu" of each,
 * in ns, by the clocks around all its calls. */
#define _GNU_SOURCE
#include "truth.h"
#include <poll.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <unistd.h>

static volatile long found;

#define TIMES(times, call)                                                                                      \
    do {                                                                                                        \
        uint64_t wall_ = now_ns(), cpu_ = cpu_ns();                                                             \
        for (int i_ = 0; i_ < (times); i_++)                                                                    \
            found += (call);                                                                                    \
        printf("%d %" PRIu64 " %" PRIu64 "\n", __LINE__, now_ns() - wall_, cpu_ns() - cpu_);                    \
    } while (0)

static int selected(int fd)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    return select(fd + 1, &set, NULL, NULL, &(struct timeval){ 0, 0 });
}

int main(void)
{
    int channel[2], epoll = epoll_create1(0);
    struct epoll_event event = { .events = EPOLLIN };
    if (pipe(channel) || epoll_ctl(epoll, EPOLL_CTL_ADD, channel[0], &event))
        return 2;
    struct pollfd one = { .fd = channel[0], .events = POLLIN };
    TIMES(400000, poll(&one, 1, 0));
    TIMES(400000, epoll_wait(epoll, &event, 1, 0));
    TIMES(200000, selected(channel[0]));
    TIMES(60, poll(&one, 1, 2));
    return 0;
}
