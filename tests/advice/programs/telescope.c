/* SPDX-License-Identifier: MIT */
/* Steers a telescope: positions come from the mount, which is a thread behind a socket, and give corrections. Prints
 * the number of positions and a sum over the corrections. */
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct position {
    uint32_t number;
    int32_t angle, height;
};

struct mount {
    int fd;
    unsigned positions;
};

static void *mount_thread(void *argument)
{
    struct mount *mount = argument;
    for (uint32_t i = 0; i < mount->positions; i++) {
        struct timespec turn = { 0, 2500000 };
        nanosleep(&turn, NULL);
        struct position position = { i, (int32_t)(i * 2654435761u >> 20), (int32_t)(i * 2246822519u >> 21) };
        if (send(mount->fd, &position, sizeof position, 0) != sizeof position) break;
    }
    shutdown(mount->fd, SHUT_WR);
    return NULL;
}

static int position_receive(int fd, struct position *position)
{
    for (;;) {
        ssize_t got = recv(fd, position, sizeof *position, 0); /* @ */
        if (got == sizeof *position) return 1;
        if (got >= 0 || (errno != EAGAIN && errno != EINTR)) return 0;
    }
}

static int64_t position_correct(const struct position *position)
{
    int64_t error = 0, drift = 0;
    for (int i = 1; i < 170000; i++) {
        int32_t angle = position->angle - (int32_t)(drift >> 8), height = position->height + i % 11;
        error += (int64_t)angle * height >> 4;
        drift = (drift * 15 + angle) >> 4;
    }
    return error;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
#ifndef FIXED
    if (fcntl(pair[0], F_SETFL, O_NONBLOCK)) return 1; /* @ */
#endif
    struct mount mount = { pair[1], (unsigned)(200 * scale) + 1 };
    pthread_t thread;
    if (pthread_create(&thread, NULL, mount_thread, &mount)) return 1;
    struct position position;
    unsigned positions = 0;
    int64_t sum = 0;
    while (position_receive(pair[0], &position)) {
        sum += position_correct(&position);
        positions++;
    }
    pthread_join(thread, NULL);
    printf("%u %lld\n", positions, (long long)sum);
    return 0;
}
