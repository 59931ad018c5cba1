/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* libraries: -pthread */
/* requests.c: a client asks a store for prices over TCP; each question is a head and a name. */
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct head {
    uint32_t number, bytes;
};

static int bytes_receive(int fd, void *to, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t got = recv(fd, (char *)to + done, bytes - done, 0); /* @ */
        if (got <= 0)
            return 0;
        done += (size_t)got;
    }
    return 1;
}

static void *store_serve(void *of)
{
    int fd = accept(*(int *)of, NULL, NULL);
    struct head h;
    char name[64];
    while (bytes_receive(fd, &h, sizeof h) && h.bytes <= sizeof name && bytes_receive(fd, name, h.bytes)) {
        uint32_t price = h.number;
        for (uint32_t i = 0; i < 20000; i++)
            price = price * 31 + (uint32_t)name[i % h.bytes];
        if (send(fd, &price, sizeof price, 0) != sizeof price)
            break;
    }
    close(fd);
    return NULL;
}

static uint32_t price_ask(int fd, uint32_t number)
{
    char name[64];
    uint32_t price = 0;
    struct head h = { number, (uint32_t)snprintf(name, sizeof name, "article %u", number) };
    send(fd, &h, sizeof h, MSG_NOSIGNAL); /* @ */
    send(fd, name, h.bytes, MSG_NOSIGNAL); /* @ */
    bytes_receive(fd, &price, sizeof price);
    return price;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(20 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr = { htonl(INADDR_LOOPBACK) } };
    socklen_t bytes = sizeof at;
    int listening = socket(AF_INET, SOCK_STREAM, 0), fd = socket(AF_INET, SOCK_STREAM, 0);
    pthread_t thread;
    if (bind(listening, (struct sockaddr *)&at, sizeof at) || listen(listening, 4) ||
        getsockname(listening, (struct sockaddr *)&at, &bytes) || connect(fd, (struct sockaddr *)&at, sizeof at))
        return 1;
#ifdef FIXED
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &(int){ 1 }, sizeof(int));
#endif
    pthread_create(&thread, NULL, store_serve, &listening);
    for (uint32_t i = 0; i < count; i++)
        sum += price_ask(fd, i);
    shutdown(fd, SHUT_WR);
    pthread_join(thread, NULL);
    close(fd);
    printf("%u prices, %08x\n", count, sum);
    return 0;
}
