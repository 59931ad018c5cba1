/* SPDX-License-Identifier: MIT */
/* A client of a key-value store, which is a thread on the other side of a TCP connection: asks for values by key, and
 * unpacks each. Prints a sum over the values. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#define KEY 24u
#define VALUE 128u

struct head {
    uint32_t verb, length;
};

static int all_receive(int fd, void *bytes, size_t length)
{
    return recv(fd, bytes, length, MSG_WAITALL) != (ssize_t)length;
}

static void *store_thread(void *argument)
{
    int fd = accept(*(int *)argument, NULL, NULL);
    struct head head;
    char key[KEY], value[VALUE];
    while (fd >= 0 && !all_receive(fd, &head, sizeof head) && !all_receive(fd, key, head.length)) {
        for (unsigned i = 0; i < VALUE; i++) value[i] = (char)(key[i % KEY] * 3 + (int)i);
        if (send(fd, value, VALUE, 0) != VALUE) break;
    }
    if (fd >= 0) close(fd);
    return NULL;
}

static int store_start(pthread_t *thread, int *listening)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    *listening = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(*listening, (struct sockaddr *)&address, size) || listen(*listening, 1)) return -1;
    if (getsockname(*listening, (struct sockaddr *)&address, &size)) return -1;
    if (pthread_create(thread, NULL, store_thread, listening)) return -1;
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    return connect(fd, (struct sockaddr *)&address, size) ? -1 : fd;
}

static int value_ask(int fd, const char *key, char *value)
{
    struct head head = { 1, KEY };
#ifdef FIXED
    struct iovec parts[2] = { { &head, sizeof head }, { (void *)key, KEY } };
    if (writev(fd, parts, 2) != (ssize_t)(sizeof head + KEY)) return 1;
#else
    if (send(fd, &head, sizeof head, 0) != (ssize_t)sizeof head) return 1; /* @ */
    if (send(fd, key, KEY, 0) != KEY) return 1; /* @ */
#endif
    return all_receive(fd, value, VALUE); /* @ */
}

static uint64_t value_unpack(const char *value)
{
    uint64_t h = 1;
    for (unsigned pass = 0; pass < 600000; pass++)
        for (unsigned i = 0; i < VALUE; i += 8) h = (h ^ (uint8_t)value[i] ^ pass) * 1099511628211ULL;
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned asked = (unsigned)(12 * scale) + 1;
    int listening;
    pthread_t store;
    int fd = store_start(&store, &listening);
    if (fd < 0) return 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < asked; i++) {
        char key[KEY] = "", value[VALUE];
        snprintf(key, sizeof key, "session:%u", i * 7919);
        if (value_ask(fd, key, value)) return 1;
        sum ^= value_unpack(value) + i;
    }
    close(fd);
    pthread_join(store, NULL);
    close(listening);
    printf("%u %llu\n", asked, (unsigned long long)sum);
    return 0;
}
