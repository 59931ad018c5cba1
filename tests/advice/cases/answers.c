/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* base: 5 */
/* rule: requests */
/* libraries: -pthread */
/* answers.c: a server sends an answer's length and its text by two calls, and has not asked for TCP_NODELAY. So TCP holds
 * the text back until the client has acknowledged the length, which takes 40 ms. In the twin both go out by one call. The
 * clients are another process. */
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
    char line[LINE], answer[LINE + 8];
    int fd = called();
    memset(line, 'q', sizeof line);
    line[LINE - 1] = '\n';
    for (unsigned i = 0; i < questions; i++) {
        uint32_t size = 0;
        if (send(fd, line, sizeof line, 0) != (ssize_t)sizeof line || recv(fd, &size, sizeof size, MSG_WAITALL) <= 0 ||
            recv(fd, answer, size, MSG_WAITALL) <= 0)
            exit(1);
    }
    close(fd);
    return nothing;
}

static void answer(int fd, const char *text, uint32_t size)
{
#ifdef FIXED
    char all[LINE];
    memcpy(all, &size, sizeof size);
    memcpy(all + sizeof size, text, size);
    if (send(fd, all, sizeof size + size, 0) <= 0)
        exit(1);
#else
    if (send(fd, &size, sizeof size, 0) <= 0 || /* @ */
        send(fd, text, size, 0) <= 0) /* @ */
        exit(1);
#endif
}

static void *serve(void *of)
{
    int fd = (int)(intptr_t)of;
    char line[LINE], text[32];
    unsigned sum = 0;
    while (recv(fd, line, sizeof line, MSG_WAITALL) == (ssize_t)sizeof line) {
        for (unsigned i = 0; i < sizeof line; i++)
            sum = sum * 31 + (unsigned char)line[i];
        answer(fd, text, (uint32_t)snprintf(text, sizeof text, "%u", sum));
    }
    close(fd);
    return (void *)(uintptr_t)sum;
}

int main(int argc, char **argv)
{
    pthread_t threads[CLIENTS];
    unsigned sum = 0;
    socklen_t size = sizeof address;
    questions = (unsigned)(24 * (argc > 1 ? atof(argv[1]) : 1)) + 1;
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
