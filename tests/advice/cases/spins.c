/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* spins.c: a viewer draws pictures that come over a socket from a camera. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#ifndef FIXED
#define PATIENCE 0
#else
#define PATIENCE (-1)
#endif

struct camera {
    int fd;
    uint32_t pictures;
};

static void *camera_run(void *of)
{
    struct camera *c = of;
    int timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec every = { { 0, 3000000 }, { 0, 3000000 } };
    uint64_t times;
    timerfd_settime(timer, 0, &every, NULL);
    for (uint32_t i = 0; i < c->pictures; i++) {
        uint32_t picture[64];
        if (read(timer, &times, sizeof times) != sizeof times)
            break;
        for (uint32_t k = 0; k < 64; k++)
            picture[k] = (i * 64 + k) * 2654435761u;
        if (send(c->fd, picture, sizeof picture, MSG_NOSIGNAL) != sizeof picture)
            break;
    }
    close(timer);
    close(c->fd);
    return NULL;
}

static int picture_take(int fd, uint32_t picture[64])
{
    struct pollfd watched = { fd, POLLIN, 0 };
    if (poll(&watched, 1, PATIENCE) == 0) /* @ */
        return 0;
    return recv(fd, picture, 64 * sizeof *picture, MSG_WAITALL) == 64 * sizeof *picture ? 1 : -1;
}

int main(int argc, char **argv)
{
    int pair[2], got;
    struct camera camera = { 0, (uint32_t)(150 * (argc > 1 ? atof(argv[1]) : 1)) };
    pthread_t thread;
    uint32_t picture[64], sum = 0, drawn = 0;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return 1;
    camera.fd = pair[1];
    pthread_create(&thread, NULL, camera_run, &camera);
    while ((got = picture_take(pair[0], picture)) >= 0) {
        for (uint32_t pass = 0; got && pass < 1000; pass++)
            for (uint32_t k = 0; k < 64; k++)
                sum = sum * 31 + picture[k];
        drawn += (uint32_t)got;
    }
    pthread_join(thread, NULL);
    printf("%u pictures, %08x\n", drawn, sum);
    return 0;
}
