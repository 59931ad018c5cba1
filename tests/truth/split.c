/* SPDX-License-Identifier: MIT */
/* split.c: requests over TCP that go out in one write or in two before the answer is read, with TCP_NODELAY and without.
 * Prints for each connection "LINE LAST answers split nodelay": the line that reads the answers, the line of the last
 * write of a request, and how many of the answers there had a request of several small writes, and had TCP_NODELAY. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { HEAD = 10, BODY = 50, TIMES = 12 };

static void *serve(void *given)
{
    int listener = *(int *)given;
    for (int i = 0; i < 3; i++) {
        char text[HEAD + BODY];
        int fd = accept(listener, NULL, NULL);
        while (fd >= 0 && recv(fd, text, sizeof text, MSG_WAITALL) == sizeof text)
            (void)!write(fd, text, 4);
        close(fd);
    }
    return NULL;
}

static int connected(const struct sockaddr_in *to, int nodelay)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (fd < 0 || connect(fd, (const struct sockaddr *)to, sizeof *to))
        abort();
    if (nodelay)
        setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &nodelay, sizeof nodelay);
    return fd;
}

int main(void)
{
    struct sockaddr_in here = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t size = sizeof here;
    int listener = socket(AF_INET, SOCK_STREAM, 0), fd;
    char text[HEAD + BODY] = "", reply[4];
    pthread_t server;
    if (bind(listener, (struct sockaddr *)&here, size) || listen(listener, 4) ||
        getsockname(listener, (struct sockaddr *)&here, &size) || pthread_create(&server, NULL, serve, &listener))
        return 2;

    fd = connected(&here, 0);
    for (int i = 0; i < TIMES; i++) {
        (void)!write(fd, text, HEAD);
        (void)!write(fd, text, BODY);
        (void)!read(fd, reply, sizeof reply);
    }
    printf("%d %d %d %d 0\n", __LINE__ - 2, __LINE__ - 3, TIMES, TIMES);
    close(fd);

    fd = connected(&here, 1);
    for (int i = 0; i < TIMES; i++) {
        send(fd, text, HEAD, 0);
        send(fd, text, BODY, 0);
        recv(fd, reply, sizeof reply, 0);
    }
    printf("%d %d %d %d %d\n", __LINE__ - 2, __LINE__ - 3, TIMES, TIMES, TIMES);
    close(fd);

    fd = connected(&here, 0);
    for (int i = 0; i < TIMES; i++) {
        (void)!write(fd, text, HEAD + BODY);
        (void)!read(fd, reply, sizeof reply);
    }
    printf("%d %d %d 0 0\n", __LINE__ - 2, __LINE__ - 3, TIMES);
    close(fd);
    pthread_join(server, NULL);
    return 0;
}
