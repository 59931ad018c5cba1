/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* exchanges.c: a weather office sends readings through a pipe to a thread that rounds them, each alone or many at a
 * time. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef FIXED
#define TOGETHER 200u
#else
#define TOGETHER 1u
#endif

struct reading {
    uint32_t station;
    int32_t value[9];
};
static int there[2], back[2];

static int whole_read(int fd, void *to, size_t bytes)
{
    for (char *at = to; bytes;) {
        ssize_t got = read(fd, at, bytes);
        if (got <= 0)
            return 0;
        at += got;
        bytes -= (size_t)got;
    }
    return 1;
}

static void *round_all(void *unused)
{
    struct reading reading[TOGETHER];
    int32_t mean[TOGETHER];
    while (whole_read(there[0], reading, sizeof reading)) {
        for (unsigned i = 0; i < TOGETHER; i++) {
            mean[i] = (int32_t)reading[i].station;
            for (unsigned k = 0; k < 9; k++)
                mean[i] += (reading[i].value[k] + 5) / 10;
        }
        if (write(back[1], mean, sizeof mean) != (ssize_t)sizeof mean)
            break;
    }
    return unused;
}

int main(int argc, char **argv)
{
    unsigned count = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1)) / 200 * 200, random = 1, sum = 0;
    struct reading reading[TOGETHER];
    int32_t mean[TOGETHER];
    pthread_t thread;
    if (pipe(there) || pipe(back) || pthread_create(&thread, NULL, round_all, NULL))
        return 1;
    for (unsigned i = 0; i < count; i += TOGETHER) {
        for (unsigned k = 0; k < TOGETHER; k++) {
            reading[k].station = i + k;
            for (unsigned v = 0; v < 9; v++)
                reading[k].value[v] = (int32_t)((random = random * 1664525 + 1013904223) >> 20);
        }
        if (write(there[1], reading, sizeof reading) != (ssize_t)sizeof reading || /* @ */
            !whole_read(back[0], mean, sizeof mean))
            return 2;
        for (unsigned k = 0; k < TOGETHER; k++)
            sum = sum * 31 + (uint32_t)mean[k];
    }
    close(there[1]);
    pthread_join(thread, NULL);
    printf("%u readings, %u\n", count, sum);
    return 0;
}
