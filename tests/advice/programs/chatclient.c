/* SPDX-License-Identifier: MIT */
/* A chat client: a thread plays the server and sends a message every few milliseconds on a socket; the client receives,
 * checks and lays out each message. Prints a sum over what it received. */
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define MESSAGE 512u
#define COLUMNS 72u
#define PAUSE_NS 3000000L
#ifdef FIXED
#define WAIT_MS -1
#else
#define WAIT_MS 0
#endif

struct server {
    int fd;
    unsigned messages;
};

static void *server_thread(void *argument)
{
    struct server *server = argument;
    char text[MESSAGE];
    for (unsigned i = 0; i < server->messages; i++) {
        for (unsigned k = 0; k < MESSAGE; k++) text[k] = (char)(k % 9 == 8 ? ' ' : 'a' + (i * 7 + k * 3) % 26);
        struct timespec pause = { 0, PAUSE_NS };
        nanosleep(&pause, NULL);
        if (send(server->fd, text, MESSAGE, 0) != MESSAGE) break;
    }
    shutdown(server->fd, SHUT_WR);
    return NULL;
}

static uint64_t message_check(const char *text, unsigned length)
{
    uint64_t h = 5381;
    for (int pass = 0; pass < 700; pass++)
        for (unsigned i = 0; i < length; i++) h = h * 33 + (uint8_t)text[i];
    return h;
}

static unsigned message_lay_out(const char *text, unsigned length)
{
    unsigned rows = 0, column = 0, word = 0;
    for (unsigned i = 0; i < length; i++) {
        word = text[i] == ' ' ? 0 : word + 1;
        if (++column > COLUMNS) {
            rows++;
            column = word;
        }
    }
    return rows + 1;
}

static int client_receive(int fd, char *text, unsigned *filled)
{
    struct pollfd wanted = { fd, POLLIN, 0 };
    int ready = poll(&wanted, 1, WAIT_MS); /* @ */
    if (ready <= 0) return ready;
    ssize_t got = recv(fd, text + *filled, MESSAGE - *filled, 0);
    if (got <= 0) return -1;
    *filled += (unsigned)got;
    return 1;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
    struct server server = { pair[1], (unsigned)(170 * scale) + 1 };
    pthread_t thread;
    if (pthread_create(&thread, NULL, server_thread, &server)) return 1;
    char text[MESSAGE];
    unsigned filled = 0, rows = 0, messages = 0;
    uint64_t sum = 0;
    while (client_receive(pair[0], text, &filled) >= 0) {
        if (filled < MESSAGE) continue;
        sum ^= message_check(text, filled) + messages;
        rows += message_lay_out(text, filled);
        messages++;
        filled = 0;
    }
    pthread_join(thread, NULL);
    printf("%u %u %llu\n", messages, rows, (unsigned long long)sum);
    return 0;
}
