/* SPDX-License-Identifier: MIT */
/* polls.c: calls that look whether there is something, on lines of their own. Prints for each line "LINE operation calls
 * nothing": how often it was called, and how often it found nothing. */
#define _GNU_SOURCE
#include <poll.h>
#include <stdio.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/wait.h>
#include <unistd.h>

static void tell(int line, const char *what, int calls, int nothing) { printf("%d %s %d %d\n", line, what, calls, nothing); }

/* Every third time there is something. */
#define LOOKS(what, times, call)                 \
    do {                                         \
        int nothing_ = 0;                        \
        for (int i_ = 0; i_ < (times); i_++) {   \
            char c_ = 0;                         \
            if (i_ % 3 == 0)                     \
                (void)!write(channel[1], "x", 1); \
            int found_ = (call);                 \
            nothing_ += found_ == 0;             \
            if (i_ % 3 == 0)                     \
                (void)!read(channel[0], &c_, 1); \
        }                                        \
        tell(__LINE__, what, times, nothing_);   \
    } while (0)

static int select_line;
static int selected(int fd)
{
    fd_set set;
    FD_ZERO(&set);
    FD_SET(fd, &set);
    select_line = __LINE__ + 1;
    return select(fd + 1, &set, NULL, NULL, &(struct timeval){ 0, 1000 });
}

int main(void)
{
    int channel[2], epoll = epoll_create1(0), nothing = 0, calls = 0;
    struct epoll_event event = { .events = EPOLLIN };
    if (pipe(channel) || epoll_ctl(epoll, EPOLL_CTL_ADD, channel[0], &event))
        return 2;
    struct pollfd one = { .fd = channel[0], .events = POLLIN };
    LOOKS("poll", 30, poll(&one, 1, 1));
    LOOKS("poll", 12, ppoll(&one, 1, &(struct timespec){ 0, 1000000 }, NULL));
    LOOKS("poll", 15, epoll_wait(epoll, &event, 1, 1));
    LOOKS("poll", 9, epoll_pwait(epoll, &event, 1, 1, NULL));
    int empty = 0;
    for (int i = 0; i < 6; i++)
        empty += selected(channel[0]) == 0;
    tell(select_line, "poll", 6, empty);
    pid_t child = fork();
    if (child == 0)
        usleep(20000), _exit(0);
    int status;
    pid_t done;
    do {
        usleep(1000), calls++;
        done = waitpid(child, &status, WNOHANG);
        nothing += done == 0;
    } while (!done);
    tell(__LINE__ - 3, "child", calls, nothing);
    return 0;
}
