/* SPDX-License-Identifier: MIT */
/* sends.c: `sends ROUNDS`: opens a connection to itself, sleeps, sends what takes a while to copy and fits in the
 * socket's buffer, receives it, and answers. Prints in how many sends the thread lost its CPU, by the
 * kernel, and how long all and the longest took, in ns. */
#define _GNU_SOURCE
#include "truth.h"
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#define BYTES (160 << 10)
static char bytes[BYTES];

static long switches(void)
{
    struct rusage use;
    getrusage(RUSAGE_THREAD, &use);
    return use.ru_nvcsw + use.ru_nivcsw;
}

static void check(int is_good, const char *what)
{
    if (is_good)
        return;
    perror(what);
    exit(1);
}

int main(int argc, char **argv)
{
    int listener = socket(AF_INET, SOCK_STREAM, 0), room = 4 * BYTES, lost = 0;
    uint64_t all = 0, longest = 0;
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    check(argc == 2 && !bind(listener, (struct sockaddr *)&at, sizeof at) && !listen(listener, 1) &&
              !getsockname(listener, (struct sockaddr *)&at, &size) &&
              !setsockopt(listener, SOL_SOCKET, SO_RCVBUF, &room, sizeof room),
          "listen");
    for (int i = 0; i < atoi(argv[1]); i++) {
        int client = socket(AF_INET, SOCK_STREAM, 0);
        setsockopt(client, SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
        check(!connect(client, (struct sockaddr *)&at, sizeof at), "connect");
        int server = accept(listener, NULL, NULL);
        usleep(1);
        long before = switches();
        uint64_t took = now_ns();
        check(send(client, bytes, BYTES, 0) == BYTES, "send"); /* MARK send */
        took = now_ns() - took;
        lost += switches() != before;
        all += took;
        longest = took > longest ? took : longest;
        for (ssize_t got = 0, n; got < BYTES; got += n)
            check((n = recv(server, bytes, BYTES, 0)) > 0, "recv");
        check(send(server, bytes, 1, 0) == 1 && recv(client, bytes, 1, 0) == 1, "answer"); /* the last call is short */
        close(client);
        close(server);
    }
    printf("%d %" PRIu64 " %" PRIu64 "\n", lost, all, longest);
    return 0;
}
