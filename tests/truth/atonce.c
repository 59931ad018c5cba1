/* SPDX-License-Identifier: MIT */
/* atonce.c: calls on sockets that do not wait. WAY says how a pair of TCP sockets came to return at once: accept4,
 * fcntl, ioctl. One thread asks and answers on it CALLS times, and each turn ends with a call that finds
 * nothing. Then it waits again, WAITS times: "undone" says so on the descriptor, "elsewhere" on a duplicate of it. Says
 * its own readings of the clock around both. "large": a thread sends LARGE bytes CHUNKS times instead, and the other
 * one polls and reads, which takes long and never waits. "uneven": one thread writes and reads, one in ten times UNEVEN
 * bytes; with "file" as WAY, in a file. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define CALLS 20000
#define WAITS 40
#define LARGE (2 << 20)
#define CHUNKS 300
#define UNEVEN (128 << 10)
#define TURNS 60000
static int asker, answerer;

static long clock_ns(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return t.tv_sec * 1000000000 + t.tv_nsec;
}

static void must(int holds, const char *what)
{
    if (!holds) {
        perror(what);
        exit(1);
    }
}

static void at_once(int fd, const char *way)
{
    int yes = 1;
    if (!strcmp(way, "fcntl"))
        must(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK), "fcntl");
    if (!strcmp(way, "ioctl"))
        must(!ioctl(fd, FIONBIO, &yes), "ioctl");
}

static void pair_make(const char *way)
{
    struct sockaddr_in address = { .sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
    socklen_t size = sizeof address;
    int listener = socket(AF_INET, SOCK_STREAM, 0), flag = strcmp(way, "accept4") ? 0 : SOCK_NONBLOCK;
    must(!bind(listener, (struct sockaddr *)&address, size) && !listen(listener, 1), "listen");
    getsockname(listener, (struct sockaddr *)&address, &size);
    asker = socket(AF_INET, SOCK_STREAM | flag, 0);
    must(!connect(asker, (struct sockaddr *)&address, size) || errno == EINPROGRESS, "connect");
    answerer = flag ? accept4(listener, NULL, NULL, flag) : accept(listener, NULL, NULL);
    must(answerer >= 0, "accept");
    close(listener);
    at_once(asker, way);
    at_once(answerer, way);
}

static void turn(void)
{
    char text[64] = "what is asked, and what is answered";
    must(send(asker, text, sizeof text, 0) == sizeof text, "send");       /* ask */
    must(read(answerer, text, sizeof text) == sizeof text, "read");       /* hear */
    must(write(answerer, text, 32) == 32, "write");                       /* answer */
    must(recv(asker, text, sizeof text, 0) == 32, "recv");                /* know */
    must(recv(asker, text, sizeof text, 0) < 0 && errno == EAGAIN, "nothing"); /* nothing */
}

static void *later(void *unused)
{
    for (int i = 0; i < WAITS; i++) {
        usleep(30000);
        must(syscall(SYS_write, asker, "x", 1) == 1, "late");
    }
    return unused;
}

static int again(int fd)
{
    char text;
    return (int)read(fd, &text, 1); /* waits */
}

static void *feed(void *unused)
{
    static char bytes[LARGE];
    struct pollfd ready = { .fd = asker, .events = POLLOUT };
    for (int i = 0; i < CHUNKS; i++, usleep(1000))
        for (long done = 0, n; done < LARGE; done += n > 0 ? n : 0) {
            n = syscall(SYS_write, asker, bytes + done, LARGE - done);
            must(n > 0 || (errno == EAGAIN && syscall(SYS_poll, &ready, 1, -1) == 1), "feed");
        }
    return unused;
}

static long large(long *longest_ns)
{
    static char bytes[LARGE];
    struct pollfd ready = { .fd = answerer, .events = POLLIN };
    long reads = 0, n;
    for (long left = (long)LARGE * CHUNKS; left; left -= n > 0 ? n : 0, reads++) {
        long took_ns = clock_ns(CLOCK_MONOTONIC);
        n = read(answerer, bytes, sizeof bytes); /* large */
        took_ns = clock_ns(CLOCK_MONOTONIC) - took_ns;
        *longest_ns = took_ns > *longest_ns ? took_ns : *longest_ns;
        must(n > 0 || (errno == EAGAIN && poll(&ready, 1, -1) == 1), "large");
    }
    return reads;
}

static long uneven(int is_file)
{
    static char bytes[UNEVEN];
    int pair[2], room = 8 * UNEVEN;
    unsigned drawn = 1;
    must(!socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, pair), "socketpair");
    setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &room, sizeof room);
    int file = is_file ? open("uneven", O_RDWR | O_CREAT, 0600) : 0;
    for (int i = 0; i < TURNS; i++) {
        drawn = drawn * 1103515245u + 12345;
        long size = (drawn >> 16) % 10 ? 64 : UNEVEN;
        if (is_file)
            must(pwrite(file, bytes, size, 0) == size && pread(file, bytes, size, 0) == size, "uneven");
        else
            for (must(write(pair[0], bytes, size) == size, "uneven"); size;)
                size -= read(pair[1], bytes, size);
    }
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

int main(int count, char **word)
{
    pthread_t other;
    must(count == 3, "WAY and END");
    if (!strcmp(word[2], "uneven")) {
        printf("%ld\n", uneven(!strcmp(word[1], "file")));
        return 0;
    }
    pair_make(word[1]);
    if (!strcmp(word[2], "large")) {
        pthread_create(&other, NULL, feed, NULL);
        long longest_ns = 0, reads = large(&longest_ns);
        printf("%ld %ld %ld\n", reads, (long)LARGE * CHUNKS, longest_ns);
        pthread_join(other, NULL);
        return 0;
    }
    long begun = clock_ns(CLOCK_MONOTONIC), cpu_begun = clock_ns(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < CALLS; i++)
        turn();
    long turns = clock_ns(CLOCK_MONOTONIC) - begun, cpu = clock_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_begun;
    int fd = strcmp(word[2], "elsewhere") ? answerer : dup(answerer);
    must(!fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK), "blocking");
    begun = clock_ns(CLOCK_MONOTONIC);
    pthread_create(&other, NULL, later, NULL);
    for (int i = 0; i < WAITS; i++)
        must(again(answerer) == 1, "again");
    printf("%d %ld %ld %d %ld\n", CALLS, turns, cpu, WAITS, clock_ns(CLOCK_MONOTONIC) - begun);
    pthread_join(other, NULL);
    return 0;
}
