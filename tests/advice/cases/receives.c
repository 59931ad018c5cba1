/* SPDX-License-Identifier: MIT */
/* rule: smallreads */
/* says: CPU */
/* libraries: -pthread */
/* receives.c: a reader takes words from a socket, byte by byte or by the buffer; a thread sends them in large pieces. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

static int sockets[2];
static unsigned pieces;

static void *sender(void *nothing)
{
    static char piece[8192];
    for (unsigned i = 0; i < sizeof piece; i++)
        piece[i] = i % 11 == 10 ? ' ' : (char)('a' + i % 26);
    for (unsigned i = 0; i < pieces && send(sockets[1], piece, sizeof piece, 0) == (ssize_t)sizeof piece; i++) {
    }
    close(sockets[1]);
    return nothing;
}

static int next_byte(void)
{
#ifdef FIXED
    static unsigned char buffer[8192];
    static ssize_t at, end;
    if (at == end) {
        end = recv(sockets[0], buffer, sizeof buffer, 0);
        at = 0;
        if (end <= 0)
            return -1;
    }
    return buffer[at++];
#else
    unsigned char byte;
    return recv(sockets[0], &byte, 1, 0) == 1 ? byte : -1; /* @ */
#endif
}

int main(int argc, char **argv)
{
    pthread_t thread;
    uint64_t words = 0, sum = 0;
    pieces = (unsigned)(40 * (argc > 1 ? atof(argv[1]) : 1)) + 1;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, sockets) || pthread_create(&thread, NULL, sender, NULL))
        return 1;
    for (int byte; (byte = next_byte()) >= 0;) {
        words += byte == ' ';
        for (int i = 0; i < 20; i++)
            sum = (sum ^ (uint64_t)byte) * 1099511628211ULL;
    }
    pthread_join(thread, NULL);
    printf("%llu words, %llx\n", (unsigned long long)words, (unsigned long long)sum);
    return 0;
}
