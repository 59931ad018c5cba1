/* SPDX-License-Identifier: MIT */
/* rule: smallreads */
/* libraries: -pthread */
/* serving.c: a server that waits for clients most of the time reads their questions byte by byte or by the buffer, in a thread for each
 * of them. The clients are another process. Of the run's time hardly anything could be saved; of the time in which it is busy, much. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CLIENTS = 2, LINE = 200 };
static struct sockaddr_in address;
static unsigned questions;

static int called(void)
{
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? fd : -1;
}

static void *ask(void *nothing)
{
    char line[LINE], answer[LINE];
    int fd = called();
    memset(line, 'q', sizeof line);
    line[LINE - 1] = '\n';
    for (unsigned i = 0; i < questions; i++) {
        if (send(fd, line, sizeof line, 0) != (ssize_t)sizeof line || recv(fd, answer, sizeof answer, 0) <= 0)
            exit(1);
        usleep(4000);
    }
    close(fd);
    return nothing;
}

static int byte_of(int fd, char *buffer, int *at, int *end)
{
#ifdef FIXED
    if (*at == *end) {
        *end = (int)recv(fd, buffer, LINE, 0);
        *at = 0;
        if (*end <= 0)
            return -1;
    }
    return (unsigned char)buffer[(*at)++];
#else
    *at = *end = 0;
    return recv(fd, buffer, 1, 0) == 1 ? (unsigned char)buffer[0] : -1; /* @ */
#endif
}

static void *serve(void *of)
{
    int fd = (int)(intptr_t)of, at = 0, end = 0;
    char buffer[LINE], answer[32];
    unsigned sum = 0;
    for (int byte; (byte = byte_of(fd, buffer, &at, &end)) >= 0;) {
        sum = sum * 31 + (unsigned)byte;
        if (byte == '\n' && send(fd, answer, (size_t)snprintf(answer, sizeof answer, "%u\n", sum), 0) <= 0)
            break;
    }
    close(fd);
    return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
    pthread_t threads[CLIENTS];
    unsigned sum = 0;
    socklen_t size = sizeof address;
    questions = (unsigned)(150 * (argc > 1 ? atof(argv[1]) : 1)) + 1;
    int door = socket(AF_INET, SOCK_STREAM, 0);
    address = (struct sockaddr_in){ .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    if (bind(door, (struct sockaddr *)&address, size) || listen(door, CLIENTS) || getsockname(door, (struct sockaddr *)&address, &size))
        return 1;
    pid_t client = fork();
    if (client == 0) {
        close(door);
        for (int i = 0; i < CLIENTS; i++)
            pthread_create(&threads[i], NULL, ask, NULL);
        for (int i = 0; i < CLIENTS; i++)
            pthread_join(threads[i], NULL);
        _exit(called() < 0); /* says that all have asked */
    }
    for (int i = 0; i < CLIENTS; i++) {
        int fd = accept(door, NULL, NULL);
        if (fd < 0 || pthread_create(&threads[i], NULL, serve, (void *)(intptr_t)fd))
            return 1;
    }
    close(accept(door, NULL, NULL));
    for (int i = 0; i < CLIENTS; i++) {
        void *one;
        pthread_join(threads[i], &one);
        sum += (unsigned)(uintptr_t)one;
    }
    waitpid(client, NULL, 0);
    printf("%u\n", sum);
    return 0;
}
