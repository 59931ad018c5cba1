/* SPDX-License-Identifier: MIT */
/* wakes.c REQUESTS: a thread answers four others on connections, after a while of computing. Whoever an answer wakes
 * may take the CPU in the middle of the write. Prints "LINE ns" for the writes and for the computing, by the thread's
 * CPU clock. */
#include "truth.h"
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

#define CLIENTS 4
static struct pollfd served[CLIENTS];
static int asking[CLIENTS];
static long requests, batch;
static char text[128];

static void expect_whole(ssize_t moved)
{
    if (moved != sizeof text)
        abort();
}

static void *asks(void *fd)
{
    char answer[sizeof text];
    for (long i = 0; i < requests; i++) {
        expect_whole(write(*(int *)fd, text, sizeof text));
        expect_whole(recv(*(int *)fd, answer, sizeof answer, MSG_WAITALL));
        BURN(batch / 4);
    }
    close(*(int *)fd);
    return NULL;
}

static void connect_all(void)
{
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t length = sizeof at;
    int on = 1, listening = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listening, (void *)&at, sizeof at) || listen(listening, CLIENTS) ||
        getsockname(listening, (void *)&at, &length))
        abort();
    for (int i = 0; i < CLIENTS; i++) {
        asking[i] = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(asking[i], (void *)&at, sizeof at))
            abort();
        served[i] = (struct pollfd){ .fd = accept(listening, NULL, NULL), .events = POLLIN };
        setsockopt(served[i].fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }
    close(listening);
}

int main(int argc, char **argv)
{
    uint64_t written_ns = 0, computed_ns = 0, begun, ended;
    pthread_t thread[CLIENTS];
    int writing = 0, computing = 0;
    char asked[sizeof text];
    requests = argc > 1 ? atol(argv[1]) : 1500;
    batch = burn_calibrate() / 20;
    connect_all();
    for (int i = 0; i < CLIENTS; i++)
        if (pthread_create(&thread[i], NULL, asks, &asking[i]))
            return 2;
    for (int left = CLIENTS; left && poll(served, CLIENTS, -1) > 0;)
        for (int i = 0; i < CLIENTS; i++) {
            if (!served[i].revents)
                continue;
            ssize_t got = read(served[i].fd, asked, sizeof asked);
            if (got <= 0) {
                served[i].fd = -1;
                left--;
                continue;
            }
            expect_whole(got);
            begun = cpu_ns();
            computing = __LINE__ + 1;
            BURN(batch);
            ended = cpu_ns();
            writing = __LINE__ + 1;
            expect_whole(write(served[i].fd, asked, sizeof asked));
            computed_ns += ended - begun;
            written_ns += cpu_ns() - ended;
        }
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(thread[i], NULL);
    printf("%d %" PRIu64 "\n%d %" PRIu64 "\n", writing, written_ns, computing, computed_ns);
    return 0;
}
