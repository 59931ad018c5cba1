/* SPDX-License-Identifier: MIT */
/* rule: sleeps */
/* kind: bound */
/* sizes: 1 2 */
/* tides.c: a process reads a gauge at its own pace and writes each height into a pipe, and the program looks for it
 * every two milliseconds. The pace is the gauge's, so that hardly anything is saved, whoever waits how. */
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static uint32_t height_weigh(uint32_t height, int rounds)
{
    for (int i = 0; i < rounds; i++)
        height = height * 1664525 + (height >> 13);
    return height;
}

static void gauge_run(int out, uint32_t heights)
{
    for (uint32_t i = 0; i < heights; i++) {
        struct timespec pace = { 0, 6000000 };
        uint32_t height = height_weigh(i, 1000);
        nanosleep(&pace, NULL);
        if (write(out, &height, sizeof height) != sizeof height)
            _exit(1);
    }
    _exit(0);
}

static uint32_t height_take(int in)
{
    uint32_t height = 0;
    while (read(in, &height, sizeof height) < 0 && errno == EAGAIN)
        usleep(2000); /* @ */
    return height;
}

int main(int argc, char **argv)
{
    uint32_t heights = (uint32_t)(60 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    int ends[2];
    if (pipe(ends))
        return 1;
    pid_t gauge = fork();
    if (!gauge)
        gauge_run(ends[1], heights);
#ifndef FIXED
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
#endif
    for (uint32_t i = 0; i < heights; i++)
        sum ^= height_weigh(height_take(ends[0]), 400000);
    waitpid(gauge, NULL, 0);
    printf("%08x\n", sum);
    return 0;
}
