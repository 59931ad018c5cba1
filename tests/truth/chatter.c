/* SPDX-License-Identifier: MIT */
/* Short calls on sockets: 100,000 requests and replies on a pair whose two ends this thread has, with each of the four
 * calls on a line of its own. Prints lines and bytes, and how long all of them took together by its own clock. */
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 100000u
#define REQUEST 48u
#define REPLY 200u

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

int main(void)
{
    int pair[2], line[4];
    char buffer[REPLY] = "";
    uint64_t bytes[4] = { 0 };
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
    uint64_t start = now_ns();
    for (unsigned i = 0; i < ROUNDS; i++) {
        bytes[0] += (uint64_t)send(pair[0], buffer, REQUEST, 0); line[0] = __LINE__;
        bytes[1] += (uint64_t)recv(pair[1], buffer, REPLY, 0); line[1] = __LINE__;
        bytes[2] += (uint64_t)write(pair[1], buffer, REPLY); line[2] = __LINE__;
        bytes[3] += (uint64_t)read(pair[0], buffer, REPLY); line[3] = __LINE__;
    }
    uint64_t took = now_ns() - start;
    for (int i = 0; i < 4; i++) printf("%d %u %llu\n", line[i], ROUNDS, (unsigned long long)bytes[i]);
    printf("%llu\n", (unsigned long long)took);
    return 0;
}
