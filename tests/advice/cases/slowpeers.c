/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* slowpeers.c: a house asks its four meters for their state, again and again; one of them measures before it answers. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/un.h>
#include <unistd.h>

#define METERS 4

struct meter {
    int fd;
    long pause_ns;
};

static void *meter_run(void *of)
{
    struct meter *m = of;
    struct itimerspec after = { .it_value = { 0, m->pause_ns } };
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    uint32_t asked;
    uint64_t times;
    while (recv(m->fd, &asked, sizeof asked, 0) == sizeof asked) {
        if (timerfd_settime(timer, 0, &after, NULL) || read(timer, &times, sizeof times) != sizeof times)
            break;
        asked = asked * 2654435761u >> 8;
        if (send(m->fd, &asked, sizeof asked, MSG_NOSIGNAL) != sizeof asked)
            break;
    }
    return NULL;
}

static uint32_t state_show(uint32_t state)
{
    for (uint32_t i = 0; i < 900000; i++)
        state = state * 1664525 + (state >> 9);
    return state;
}

static uint32_t round_ask(const int fd[METERS], uint32_t number)
{
    uint32_t sum = 0, state;
#ifndef FIXED
    for (unsigned i = 0; i < METERS; i++) {
        send(fd[i], &number, sizeof number, MSG_NOSIGNAL);
        if (recv(fd[i], &state, sizeof state, 0) != sizeof state) /* @ */
            exit(1);
        sum ^= state_show(state + i);
    }
#else
    struct pollfd open[METERS];
    for (unsigned i = 0; i < METERS; i++) {
        open[i] = (struct pollfd){ fd[i], POLLIN, 0 };
        send(fd[i], &number, sizeof number, MSG_NOSIGNAL);
    }
    for (unsigned left = METERS; left;) {
        poll(open, METERS, -1);
        for (unsigned i = 0; i < METERS; i++) {
            if (!(open[i].revents & POLLIN))
                continue;
            if (recv(fd[i], &state, sizeof state, 0) != sizeof state)
                exit(1);
            sum ^= state_show(state + i);
            open[i].fd = -1;
            left--;
        }
    }
#endif
    return sum;
}

int main(int argc, char **argv)
{
    uint32_t rounds = (uint32_t)(80 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    static struct meter meter[METERS];
    int fd[METERS];
    pthread_t thread[METERS];
    struct sockaddr_un name = { .sun_family = AF_UNIX };
    for (unsigned i = 0; i < METERS; i++) {
        int at = socket(AF_UNIX, SOCK_STREAM, 0);
        snprintf(name.sun_path, sizeof name.sun_path, "meter%u-%ld", i, (long)getpid());
        if (bind(at, (struct sockaddr *)&name, sizeof name) || listen(at, METERS))
            return 1;
        fd[i] = socket(AF_UNIX, SOCK_STREAM, 0);
        if (connect(fd[i], (struct sockaddr *)&name, sizeof name))
            return 1;
        meter[i] = (struct meter){ accept(at, NULL, NULL), i == 2 ? 4000000 : 1000 };
        pthread_create(&thread[i], NULL, meter_run, &meter[i]);
        unlink(name.sun_path);
    }
    for (uint32_t i = 0; i < rounds; i++)
        sum += round_ask(fd, i);
    for (unsigned i = 0; i < METERS; i++) {
        close(fd[i]);
        pthread_join(thread[i], NULL);
    }
    printf("%u rounds, %08x\n", rounds, sum);
    return 0;
}
