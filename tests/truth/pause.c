/* SPDX-License-Identifier: MIT */
/* Short transfers and, after many of them, a long one: the side that answers, or writes, sleeps before its last one. On
 * a socket and on a pipe. Prints how long its last call took by its own clock, in a line each: KIND LINE
 * NANOSECONDS. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ROUNDS 1001

static int request[2], answer[2];        /* descriptors: ours, the other thread's */

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void *serve(void *unused)
{
    char c = 0;
    for (int i = 0; i < ROUNDS; i++) {
        if (read(request[1], &c, 1) != 1) return NULL;
        if (i == ROUNDS - 1) usleep(300000);
        if (write(answer[1], &c, 1) != 1) return NULL;
    }
    return unused;
}

static void talk(const char *kind)
{
    pthread_t thread;
    char c = 0;
    uint64_t last = 0;
    int line = 0;
    if (pthread_create(&thread, NULL, serve, NULL)) return;
    for (int i = 0; i < ROUNDS; i++) {
        if (write(request[0], &c, 1) != 1) return;
        uint64_t begun = now_ns();
        if (read(answer[0], &c, 1) != 1) return; line = __LINE__;
        last = now_ns() - begun;
    }
    pthread_join(thread, NULL);
    printf("%s %d %llu\n", kind, line, (unsigned long long)last);
}

int main(void)
{
    int pair[2], there[2], back[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair) || pipe(there) || pipe(back)) return 1;
    request[0] = answer[0] = pair[0], request[1] = answer[1] = pair[1];
    talk("socket");
    request[0] = there[1], request[1] = there[0], answer[0] = back[0], answer[1] = back[1];
    talk("pipe");
    return 0;
}
