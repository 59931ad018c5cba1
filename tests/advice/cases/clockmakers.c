/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: exchanges */
/* libraries: -pthread */
/* clockmakers.c: a shop sends wheels over a connection to a thread that measures them, each alone or many at a time. Both
 * ends read by one function. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#ifdef FIXED
#define TOGETHER 200u
#else
#define TOGETHER 1u
#endif

struct wheel {
    uint32_t shop;
    int32_t value[9];
};
static int end[2];

static int all_take(int fd, void *to, size_t bytes)
{
    for (char *at = to; bytes;) {
        ssize_t got = read(fd, at, bytes); /* @ */
        if (got <= 0)
            return 0;
        at += got;
        bytes -= (size_t)got;
    }
    return 1;
}

static void *measure_all(void *unused)
{
    struct wheel wheel[TOGETHER];
    int32_t mean[TOGETHER];
    while (all_take(end[1], wheel, sizeof wheel)) {
        for (unsigned i = 0; i < TOGETHER; i++) {
            mean[i] = (int32_t)wheel[i].shop;
            for (unsigned k = 0; k < 9; k++)
                mean[i] += (wheel[i].value[k] + 5) / 10;
        }
        if (write(end[1], mean, sizeof mean) != (ssize_t)sizeof mean)
            break;
    }
    return unused;
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1)) / 200 * 200, random = 1, sum = 0;
    struct wheel wheel[TOGETHER];
    int32_t mean[TOGETHER];
    pthread_t thread;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, end) || pthread_create(&thread, NULL, measure_all, NULL))
        return 1;
    for (unsigned i = 0; i < count; i += TOGETHER) {
        for (unsigned k = 0; k < TOGETHER; k++) {
            wheel[k].shop = i + k;
            for (unsigned v = 0; v < 9; v++)
                wheel[k].value[v] = (int32_t)((random = random * 1664525 + 1013904223) >> 20);
        }
        if (write(end[0], wheel, sizeof wheel) != (ssize_t)sizeof wheel ||
            !all_take(end[0], mean, sizeof mean))
            return 2;
        for (unsigned k = 0; k < TOGETHER; k++)
            sum = sum * 31 + (uint32_t)mean[k];
    }
    close(end[0]);
    pthread_join(thread, NULL);
    printf("%u wheels, %u\n", count, sum);
    return 0;
}
