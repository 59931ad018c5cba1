/* SPDX-License-Identifier: MIT */
/* network.c FOLDER: every entry point of sockets, each on a line of its own that moves the bytes in the calls that it
 * states, between threads of this program. Prints "LINE what bytes calls failed" for each. By its own clock it prints
 * "answers END count sum most p50 p95 p99", "connect LINE ns" and "establish LINE ns", each time as "LEAST:MOST". It
 * also prints "end NAME sent received", and what /proc/self/io counted from the first to the last. A reply contains the
 * time just before it was sent. So the response time has bounds whatever the scheduler does: from after the request was
 * sent to that time, and from before it was sent until after the reply was received. */
#define _GNU_SOURCE
#include "bracket.h"
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/select.h>
#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { REQUESTS = 40, REQUEST = 100, REPLY = 200, CLIENTS = 4, ROUNDS = 25 };
static char said[60000];
static size_t used;
static pthread_mutex_t saying = PTHREAD_MUTEX_INITIALIZER;
static int bad;
static volatile sig_atomic_t rings;

#define SAY(...) do { pthread_mutex_lock(&saying); used += (size_t)sprintf(said + used, __VA_ARGS__); pthread_mutex_unlock(&saying); } while (0)
/* States what the line does. */
#define DOES(what, bytes, calls, failed, ...) do { __VA_ARGS__; SAY("%d " what " %ld %ld %ld\n", __LINE__, (long)(bytes), (long)(calls), (long)(failed)); } while (0)
/* States how long the line's calls take. If a connect is left in progress, it is the time from within the first call to
 * within the second. */
#define TAKES(what, ...) do { struct bracket b_ = bracket_begin(); __VA_ARGS__; b_ = bracket_end(b_); SAY(what " %d %.0f:%.0f\n", __LINE__, bracket_least(b_), b_.at); } while (0)
#define LEAVES(first, ...) do { struct bracket a_ = bracket_begin(), b_; first; b_ = bracket_begin(); __VA_ARGS__; b_ = bracket_end(b_), a_ = bracket_end(a_); \
    SAY("establish %d %.0f:%.0f\n", __LINE__, bracket_least(b_), a_.at); } while (0)
#define WANT(n, call) do { if ((long)(call) != (long)(n)) { bad++; fprintf(stderr, "%d: not %ld: %s\n", __LINE__, (long)(n), strerror(errno)); } } while (0)

static double now(void) { return bracket_clock(CLOCK_MONOTONIC); }
static struct answers { double before, after, low[REQUESTS], high[REQUESTS]; long count; } none;
/* The answer was received. It begins with the time at which it was given. */
static void answer(struct answers *a, const char *reply)
{
    double given, took = now() - a->before;
    memcpy(&given, reply, sizeof given);
    a->low[a->count] = given > a->after ? given - a->after : 0, a->high[a->count++] = took;
}

static int ascending(const void *a, const void *b) { return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b); }

struct account { long in, out, bytes; };
static struct account account(void)
{
    static char text[4096];
    int fd = open("/proc/self/io", O_RDONLY);
    ssize_t n = read(fd, text, sizeof text - 1);
    close(fd);
    text[n] = 0;
    return (struct account){ atol(strstr(text, "rchar: ") + 7), atol(strstr(text, "wchar: ") + 7), n };
}

static struct sockaddr_in loopback(int port)
{
    return (struct sockaddr_in){ .sin_family = AF_INET, .sin_port = htons((unsigned short)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
}
static int bound(int type, int backlog, int *port)
{
    struct sockaddr_in a = loopback(0);
    socklen_t size = sizeof a;
    int fd = socket(AF_INET, type, 0);
    WANT(0, bind(fd, (struct sockaddr *)&a, sizeof a));
    if (type == SOCK_STREAM)
        WANT(0, listen(fd, backlog));
    WANT(0, getsockname(fd, (struct sockaddr *)&a, &size));
    *port = ntohs(a.sin_port);
    return fd;
}

/* ---- tcp: requests and replies ---- */

static struct { int listener, port; } tcp;
static void *serve(void *unused)
{
    char buffer[4096];
    int fd;
    DOES("accept", 0, 1, 0, fd = accept(tcp.listener, NULL, NULL));
    for (int i = 0; i < REQUESTS; i++) {
        if (recv(fd, buffer, REQUEST, MSG_WAITALL) != REQUEST) /* served */
            bad++;
        usleep(i % 10 == 9 ? 20000 : 1000);
        memcpy(buffer, &(double){ now() }, sizeof(double));
        if (send(fd, buffer, REPLY, 0) != REPLY) /* replied */
            bad++;
    }
    DOES("receive", 0, 1, 0, WANT(0, recv(fd, buffer, 10, 0)));
    close(fd);
    return unused;
}
static void requests(void)
{
    struct sockaddr_in a;
    char buffer[4096] = "";
    struct answers s = none;
    pthread_t thread;
    tcp.listener = bound(SOCK_STREAM, 5, &tcp.port);
    a = loopback(tcp.port);
    pthread_create(&thread, NULL, serve, NULL);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    DOES("connect", 0, 1, 0, TAKES("connect", WANT(0, connect(fd, (struct sockaddr *)&a, sizeof a))));
    DOES("send", REQUESTS / 2 * REQUEST, REQUESTS / 2, 0, for (int i = 0; i < REQUESTS / 2; i++) { s.before = now(); WANT(REQUEST, send(fd, buffer, REQUEST, MSG_NOSIGNAL)); s.after = now(); WANT(REPLY, recv(fd, buffer, REPLY, MSG_WAITALL)); answer(&s, buffer); });
    SAY("%d receive %d %d 0\n", __LINE__ - 1, REQUESTS / 2 * REPLY, REQUESTS / 2);
    DOES("receive", 0, 1, 1, WANT(-1, recvmsg(fd, (struct msghdr *)1, MSG_DONTWAIT)); WANT(EFAULT, errno));
    for (int i = 0; i < REQUESTS / 2; i++) {
        s.before = now();
        WANT(REQUEST, write(fd, buffer, REQUEST)); /* written */
        s.after = now();
        WANT(50, read(fd, buffer, 50)); /* first */
        answer(&s, buffer);
        WANT(REPLY - 50, recv(fd, buffer, REPLY - 50, MSG_WAITALL)); /* rest: it is no answer any more */
    }
    close(fd);
    pthread_join(thread, NULL);
    close(tcp.listener);
    double low = 0, high = 0;
    for (int i = 0; i < REQUESTS; i++)
        low += s.low[i], high += s.high[i];
    qsort(s.low, (size_t)s.count, sizeof *s.low, ascending), qsort(s.high, (size_t)s.count, sizeof *s.high, ascending);
    SAY("answers tcp_127.0.0.1:%d %ld %.0f:%.0f", tcp.port, s.count, low, high);
    for (int i = 0; i < 4; i++) {
        int at = (const int[]){ REQUESTS, REQUESTS / 2, REQUESTS * 95 / 100, REQUESTS }[i] - 1;
        SAY(" %.0f:%.0f", s.low[at], s.high[at]);
    }
    SAY("\n");
    SAY("end tcp_127.0.0.1:%d %d %d\n", tcp.port, REQUESTS * REQUEST, REQUESTS * REPLY);
    SAY("end tcp_at_127.0.0.1:%d_from_127.0.0.1 %d %d\n", tcp.port, REQUESTS * REPLY, REQUESTS * REQUEST);
}

/* ---- tcp: several clients at once, each in a thread, on lines that they share ---- */

static int many_port;
static double many_low, many_high, served_low, served_high;
static void *client(void *unused)
{
    struct sockaddr_in a = loopback(many_port);
    struct answers s = none;
    char buffer[64] = "";
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    if (connect(fd, (struct sockaddr *)&a, sizeof a)) /* clients */
        bad++;
    for (int i = 0; i < ROUNDS; i++) {
        s.before = now();
        memcpy(buffer, &s.before, sizeof s.before);
        if (send(fd, buffer, 10, 0) != 10) /* asks */
            bad++;
        s.after = now();
        if (recv(fd, buffer, 30, MSG_WAITALL) != 30) /* gets */
            bad++;
        answer(&s, buffer);
    }
    close(fd);
    pthread_mutex_lock(&saying);
    for (int i = 0; i < ROUNDS; i++)
        many_low += s.low[i], many_high += s.high[i];
    pthread_mutex_unlock(&saying);
    return unused;
}
static void *handle(void *fd)
{
    char buffer[64] = "";
    double asked, got, replied, low = 0, high = 0;
    for (int i = 0; i < ROUNDS; i++) {                   /* the request came after it was asked for, and before it had been read */
        if (recv((int)(long)fd, buffer, 10, MSG_WAITALL) != 10 || (got = now(), usleep(1000)))
            bad++;
        memcpy(&asked, buffer, sizeof asked);
        memcpy(buffer, &(double){ replied = now() }, sizeof replied);
        if (send((int)(long)fd, buffer, 30, 0) != 30)
            bad++;
        low += replied - got, high += now() - asked;
    }
    close((int)(long)fd);
    pthread_mutex_lock(&saying);
    served_low += low, served_high += high;
    pthread_mutex_unlock(&saying);
    return NULL;
}
static void many(void)
{
    pthread_t client_thread[CLIENTS], handler[CLIENTS];
    int listener = bound(SOCK_STREAM, CLIENTS, &many_port);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&client_thread[i], NULL, client, NULL);
    for (int i = 0; i < CLIENTS; i++)
        pthread_create(&handler[i], NULL, handle, (void *)(long)accept4(listener, NULL, NULL, SOCK_CLOEXEC));
    for (int i = 0; i < CLIENTS; i++)
        pthread_join(client_thread[i], NULL), pthread_join(handler[i], NULL);
    close(listener);
    SAY("answers tcp_127.0.0.1:%d %d %.0f:%.0f\n", many_port, CLIENTS * ROUNDS, many_low, many_high);
    SAY("serves tcp_at_127.0.0.1:%d_from_127.0.0.1 %d %.0f:%.0f\n", many_port, CLIENTS * ROUNDS, served_low, served_high);
    SAY("end tcp_127.0.0.1:%d %d %d\n", many_port, CLIENTS * ROUNDS * 10, CLIENTS * ROUNDS * 30);
}

/* ---- a connect that takes long: the queue of who wants in is full, and the kernel asks again after a second ---- */

static struct { int listener, fd; } full;
static void *let_in(void *unused)
{
    struct tcp_info info = { .tcpi_state = 0 };
    while (info.tcpi_state != TCP_SYN_SENT) {            /* it has asked, and was not let in */
        socklen_t size = sizeof info;
        usleep(1000);
        if (getsockopt(full.fd, IPPROTO_TCP, TCP_INFO, &info, &size))
            return (void *)"TCP_INFO";
    }
    usleep(200000);
    close(accept(full.listener, NULL, NULL));
    return unused;
}
static void slow(void)
{
    int port, refused, value;
    socklen_t size = sizeof value;
    pthread_t thread;
    void *failed;
    for (int way = 0; way < 3; way++) {
        int first = socket(AF_INET, SOCK_STREAM, 0);
        full.listener = bound(SOCK_STREAM, 0, &port), full.fd = socket(AF_INET, SOCK_STREAM | (way ? SOCK_NONBLOCK : 0), 0);
        struct sockaddr_in a = loopback(port);
        fd_set out;
        FD_ZERO(&out);
        FD_SET(full.fd, &out);
        WANT(0, connect(first, (struct sockaddr *)&a, sizeof a));
        pthread_create(&thread, NULL, let_in, NULL);
        if (way == 0)
            DOES("connect", 0, 1, 0, TAKES("connect", WANT(0, connect(full.fd, (struct sockaddr *)&a, sizeof a))));
        else if (way == 1)
            DOES("connect", 0, 1, 0, LEAVES(WANT(-1, connect(full.fd, (struct sockaddr *)&a, sizeof a)), WANT(1, poll(&(struct pollfd){ full.fd, POLLOUT, 0 }, 1, -1))));
        else
            DOES("connect", 0, 1, 0, LEAVES(WANT(-1, connect(full.fd, (struct sockaddr *)&a, sizeof a)), WANT(0, getsockopt(full.fd, SOL_SOCKET, SO_ERROR, &value, &size)); WANT(1, select(full.fd + 1, NULL, &out, NULL, NULL))));
        pthread_join(thread, &failed);
        WANT(0, failed != NULL);
        close(first), close(full.fd), close(full.listener);
    }
    refused = bound(SOCK_STREAM, 1, &port);
    close(refused);
    struct sockaddr_in a = loopback(port);
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    DOES("connect", 0, 1, 1, WANT(-1, connect(fd, (struct sockaddr *)&a, sizeof a)));
    DOES("connect", 0, 1, 1, WANT(-1, connect(fd, (struct sockaddr *)1, sizeof a)));
    DOES("send", 0, 1, 1, WANT(-1, send(fd, "x", 1, MSG_NOSIGNAL)));
    close(fd);
    DOES("send", 0, 1, 1, WANT(-1, sendto(-1, "x", 1, 0, (struct sockaddr *)1, 16)));
}

/* ---- udp ---- */

static void udp(void)
{
    char buffer[4096] = "";
    int port, other_port, server = bound(SOCK_DGRAM, 0, &port), other = bound(SOCK_DGRAM, 0, &other_port), fd = socket(AF_INET, SOCK_DGRAM, 0);
    struct sockaddr_in a = loopback(port), b = loopback(other_port), from;
    socklen_t size = sizeof from;
    struct iovec vector[2] = { { buffer, 300 }, { buffer + 300, 200 } };
    struct msghdr message = { .msg_name = &a, .msg_namelen = sizeof a, .msg_iov = vector, .msg_iovlen = 2 };
    struct mmsghdr several[3];
    DOES("send", 70, 1, 0, WANT(70, sendto(fd, buffer, 70, 0, (struct sockaddr *)&a, sizeof a)));
    DOES("receive", 70, 1, 0, WANT(70, recvfrom(server, buffer, sizeof buffer, 0, (struct sockaddr *)&from, &size)));
    DOES("send", 90, 1, 0, WANT(90, sendto(server, buffer, 90, 0, (struct sockaddr *)&from, size)));
    DOES("receive", 0, 1, 0, WANT(90, recv(fd, buffer, sizeof buffer, MSG_PEEK)));
    DOES("receive", 90, 1, 0, WANT(90, recvfrom(fd, buffer, sizeof buffer, 0, NULL, NULL)));
    DOES("send", 500, 1, 0, WANT(500, sendmsg(fd, &message, 0)));
    DOES("receive", 500, 1, 0, message.msg_name = NULL; message.msg_namelen = 0; WANT(500, recvmsg(server, &message, 0)));
    DOES("send", 60, 1, 0, WANT(60, sendto(fd, buffer, 60, 0, (struct sockaddr *)&b, sizeof b)));
    DOES("receive", 20, 1, 0, WANT(60, recv(other, buffer, 20, MSG_TRUNC)));
    for (int i = 0; i < 3; i++)
        several[i] = (struct mmsghdr){ .msg_hdr = { .msg_name = &a, .msg_namelen = sizeof a, .msg_iov = vector, .msg_iovlen = 1 } };
    DOES("send", 900, 1, 0, WANT(3, sendmmsg(fd, several, 3, 0)));
    for (int i = 0; i < 3; i++)
        several[i].msg_hdr.msg_name = NULL, several[i].msg_hdr.msg_namelen = 0;
    DOES("receive", 900, 1, 0, WANT(3, recvmmsg(server, several, 3, 0, NULL)));
    DOES("receive", 0, 1, 1, WANT(-1, recv(server, buffer, sizeof buffer, MSG_DONTWAIT)));
    DOES("send", 0, 1, 1, WANT(-1, sendmsg(fd, (struct msghdr *)1, 0)));
    DOES("receive", 0, 1, 1, WANT(-1, recvfrom(server, buffer, 10, MSG_DONTWAIT, (struct sockaddr *)1, (socklen_t *)1)));
    close(fd), close(server), close(other);
    SAY("end udp_127.0.0.1:%d %d %d\n", port, 70 + 500 + 900, 90);
    SAY("end udp_127.0.0.1:%d %d %d\n", other_port, 60, 0);
    SAY("end udp_at_127.0.0.1:%d %d %d\n", port, 90, 70 + 500 + 900);
}

/* ---- unix ---- */

static void ring(int number) { rings += number == SIGALRM; }
static void local(void)
{
    char buffer[4096] = "";
    struct sockaddr_un path = { .sun_family = AF_UNIX, .sun_path = "there" };
    int pair[2], listener = socket(AF_UNIX, SOCK_STREAM, 0), fd = socket(AF_UNIX, SOCK_STREAM, 0), in, file;
    volatile size_t want = 33;           /* not known when compiled: fortified calls look at it */
    unlink(path.sun_path);
    WANT(0, bind(listener, (struct sockaddr *)&path, sizeof path));
    WANT(0, listen(listener, 2));
    DOES("connect", 0, 1, 0, WANT(0, connect(fd, (struct sockaddr *)&path, sizeof path)));
    DOES("accept", 0, 1, 0, in = accept4(listener, NULL, NULL, SOCK_CLOEXEC));
    DOES("send", 33, 1, 0, WANT(33, send(fd, buffer, 33, 0)));
    DOES("receive", 33, 1, 0, WANT(33, recv(in, buffer, want, 0)));
    DOES("write", 44, 1, 0, WANT(44, write(in, buffer, 44)));
    DOES("read", 44, 1, 0, WANT(44, read(fd, buffer, sizeof buffer)));
    file = open("file", O_RDWR | O_CREAT | O_TRUNC, 0666);
    WANT(1000, write(file, buffer, 1000) + lseek(file, 0, SEEK_SET));
    DOES("copy", 1000, 1, 0, WANT(1000, sendfile(fd, file, NULL, 1000)));
    DOES("receive", 1000, 1, 0, WANT(1000, recv(in, buffer, 1000, MSG_WAITALL)));
    DOES("receive", 0, 1, 1, WANT(-1, recv(in, buffer, 10, MSG_DONTWAIT)));
    DOES("accept", 0, 1, 1, fcntl(listener, F_SETFL, O_NONBLOCK); WANT(-1, accept(listener, NULL, NULL)));
    sigaction(SIGALRM, &(struct sigaction){ .sa_handler = ring }, NULL);
    setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 20000, .it_interval.tv_usec = 20000 }, NULL);     /* again, if one came before the call */
    DOES("receive", 0, 1, 1, WANT(-1, recv(in, buffer, 10, 0)); WANT(EINTR, errno));
    setitimer(ITIMER_REAL, &(struct itimerval){ .it_value.tv_usec = 0 }, NULL);
    WANT(1, rings > 0);
    close(file), close(fd), close(in), close(listener);
    SAY("end unix_there %d %d\n", 33, 44);
    SAY("end unix_at_there %d %d\n", 44, 33 + 1000);
    WANT(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    DOES("send", 5, 1, 0, WANT(5, send(pair[0], buffer, 5, 0)));
    DOES("receive", 5, 1, 0, WANT(5, recv(pair[1], buffer, 10, 0)));
    DOES("write", 6, 1, 0, WANT(6, write(pair[1], buffer, 6)));
    DOES("read", 6, 1, 0, WANT(6, read(pair[0], buffer, 10)));
    close(pair[0]), close(pair[1]);
    SAY("end unix_pair_1 %d %d\n", 11, 11);
    WANT(0, socketpair(AF_UNIX, SOCK_STREAM, 0, pair));
    DOES("send", 7, 1, 0, WANT(7, send(pair[0], buffer, 7, 0)));
    DOES("receive", 7, 1, 0, WANT(7, recv(pair[1], buffer, 10, 0)));
    close(pair[0]), close(pair[1]);
    SAY("end unix_pair_2 %d %d\n", 7, 7);
}

int main(int argc, char **argv)
{
    if (argc < 2 || chdir(argv[1]))
        return 2;
    struct account first = account();
    requests();
    many();
    slow();
    udp();
    local();
    struct account last = account();
    printf("%sin %ld\nout %ld\nbad %d\n", said, last.in - first.in + last.bytes, last.out - first.out, bad);
    return bad != 0;
}
