/* SPDX-License-Identifier: MIT */
/* A post office asks a sorting office over TCP for the route of each parcel. The sorting office is a child process.
 * Prints a sum over the routes. */
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

struct parcel {
    uint32_t size, weight;
};

static int all(int fd, void *to, size_t size)
{
    char *at = to;
    while (size) {
        ssize_t got = read(fd, at, size);
        if (got <= 0) return 0;
        at += got;
        size -= (size_t)got;
    }
    return 1;
}

static void office_run(int listener)
{
    int fd = accept(listener, NULL, NULL);
    struct parcel parcel;
    char address[64];
    while (all(fd, &parcel, sizeof parcel) && all(fd, address, parcel.size)) {
        uint32_t route = parcel.weight;
        for (uint32_t i = 0; i < parcel.size; i++) route = route * 31 + (unsigned char)address[i];
        if (write(fd, &route, sizeof route) != (ssize_t)sizeof route) break;
    }
    _exit(0);
}

static uint32_t route_ask(int fd, const struct parcel *parcel, const char *address)
{
    uint32_t route;
#ifdef FIXED
    struct iovec parts[2] = { { (void *)parcel, sizeof *parcel }, { (void *)address, parcel->size } };
    if (writev(fd, parts, 2) < 0) exit(1);
#else
    if (write(fd, parcel, sizeof *parcel) < 0) exit(1); /* @ */
    if (write(fd, address, parcel->size) < 0) exit(1); /* @ */
#endif
    if (!all(fd, &route, sizeof route)) exit(1); /* @ */
    return route;
}

static uint64_t stamp(uint32_t route)
{
    uint64_t ink = route;
    for (unsigned i = 0; i < 500000; i++) ink = (ink ^ i) * 1099511628211u;
    return ink >> 40;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned parcels = (unsigned)(30 * scale) + 1;
    struct sockaddr_in at = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof at;
    int listener = socket(AF_INET, SOCK_STREAM, 0);
    if (bind(listener, (struct sockaddr *)&at, size) || listen(listener, 1) || getsockname(listener, (struct sockaddr *)&at, &size)) return 1;
    pid_t office = fork();
    if (!office) office_run(listener);
    int fd = socket(AF_INET, SOCK_STREAM, 0), one = 1;
    if (connect(fd, (struct sockaddr *)&at, size)) return 1;
#ifdef FIXED
    setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
#else
    setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &one, sizeof one);
#endif
    uint64_t sum = 0;
    for (unsigned i = 0; i < parcels; i++) {
        char address[64];
        struct parcel parcel = { (uint32_t)snprintf(address, sizeof address, "Street %u, Town %u", i % 97, i % 13), i % 2000 };
        sum += stamp(route_ask(fd, &parcel, address));
    }
    close(fd);
    waitpid(office, NULL, 0);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
