/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* roundtrips.c: the parts of a map come from a surveyor, who takes a while for each; each part is then shaded. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define POINTS 256

static void *surveyor_run(void *of)
{
    int fd = *(int *)of, timer = timerfd_create(CLOCK_MONOTONIC, 0);
    struct itimerspec after = { .it_value = { 0, 2000000 } };
    uint32_t number, height[POINTS];
    uint64_t times;
    while (recv(fd, &number, sizeof number, MSG_WAITALL) == sizeof number) {
        if (timerfd_settime(timer, 0, &after, NULL) || read(timer, &times, sizeof times) != sizeof times)
            break;
        for (uint32_t i = 0; i < POINTS; i++)
            height[i] = (number * POINTS + i) * 2654435761u >> 12;
        if (send(fd, height, sizeof height, MSG_NOSIGNAL) != sizeof height)
            break;
    }
    return NULL;
}

static void part_ask(int fd, uint32_t number)
{
    if (send(fd, &number, sizeof number, MSG_NOSIGNAL) != sizeof number)
        exit(1);
}

static void part_take(int fd, uint32_t height[POINTS])
{
    if (recv(fd, height, POINTS * sizeof *height, MSG_WAITALL) != POINTS * sizeof *height) /* @ */
        exit(1);
}

static uint32_t part_shade(const uint32_t height[POINTS])
{
    uint32_t shade = 1;
    for (uint32_t pass = 0; pass < 4000; pass++)
        for (uint32_t i = 0; i < POINTS; i++)
            shade = shade * 31 + (height[i] ^ pass);
    return shade;
}

int main(int argc, char **argv)
{
    uint32_t parts = (uint32_t)(200 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0, height[POINTS];
    int pair[2];
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair))
        return 1;
    pthread_create(&thread, NULL, surveyor_run, &pair[1]);
#ifdef FIXED
    part_ask(pair[0], 0);
#endif
    for (uint32_t i = 0; i < parts; i++) {
#ifndef FIXED
        part_ask(pair[0], i);
#endif
        part_take(pair[0], height);
#ifdef FIXED
        if (i + 1 < parts)
            part_ask(pair[0], i + 1);
#endif
        sum ^= part_shade(height);
    }
    close(pair[0]);
    pthread_join(thread, NULL);
    printf("%u parts, %08x\n", parts, sum);
    return 0;
}
