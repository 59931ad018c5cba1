/* SPDX-License-Identifier: MIT */
/* openloop.c PORT resp|http REQUESTS CONNECTIONS RATE SECONDS SEED: asks a server on this machine at times that do not
 * depend on its answers, RATE a second in the mean, at random; RATE 0: each connection asks again once it is answered.
 * How long an answer took counts from when its question was due, so that those who wait behind a slow one count, too.
 * REQUESTS: a file of "LENGTH\n" and so many bytes, again and again. It polls, so it needs a CPU of its own. It must
 * not know how anything is measured. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <time.h>
#include <unistd.h>

#define QUEUE 65536u /* questions of a connection that are not answered yet */
#define ROOM (1u << 20)
#define WARM_NS UINT64_C(100000000) /* what was due before is not told */
#define PATIENCE_NS UINT64_C(10000000000)

struct connection {
    int fd;
    uint64_t due[QUEUE];
    unsigned asked, answered;
    char text[ROOM];
    size_t held;
};

static char **request;
static size_t *length, requests, turn;
static uint64_t *latency, told, most_told;

static void die(const char *what)
{
    fprintf(stderr, "openloop: %s: %s\n", what, strerror(errno));
    exit(1);
}

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void requests_read(const char *path)
{
    FILE *file = fopen(path, "rb");
    size_t bytes;
    if (!file)
        die(path);
    while (fscanf(file, "%zu", &bytes) == 1 && fgetc(file) == '\n') {
        request = realloc(request, (requests + 1) * sizeof *request);
        length = realloc(length, (requests + 1) * sizeof *length);
        request[requests] = malloc(bytes);
        length[requests] = bytes;
        if (fread(request[requests++], 1, bytes, file) != bytes)
            die(path);
    }
    if (!requests)
        die(path);
    fclose(file);
}

/* Length of the first answer, 0: it is not complete. */
static size_t answer_resp(const char *text, size_t held)
{
    size_t at = 0;
    for (long need = 1; need--;) {
        const char *end = at < held ? memchr(text + at, '\n', held - at) : NULL;
        if (!end)
            return 0;
        char kind = text[at];
        long number = atol(text + at + 1);
        at = (size_t)(end - text) + 1;
        if (kind == '-')
            die("the server refuses");
        if (kind == '*' && number > 0)
            need += number;
        if (kind == '$' && number >= 0)
            at += (size_t)number + 2;
    }
    return at <= held ? at : 0;
}

static size_t answer_http(const char *text, size_t held)
{
    const char *end = memmem(text, held, "\r\n\r\n", 4), *size = memmem(text, held, "Content-Length: ", 16);
    if (!end)
        return 0;
    if (strncmp(text, "HTTP/1.1 200", 12) != 0 || !size || size > end)
        die("the server refuses");
    size_t whole = (size_t)(end - text) + 4 + strtoul(size + 16, NULL, 10);
    return whole <= held ? whole : 0;
}

static void ask(struct connection *c, uint64_t due)
{
    if (c->asked - c->answered == QUEUE)
        die("the server does not keep up");
    c->due[c->asked++ % QUEUE] = due;
    if (write(c->fd, request[turn], length[turn]) != (ssize_t)length[turn])
        die("write");
    turn = (turn + 1) % requests;
}

static int later(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static double part_us(double part)
{
    uint64_t rank = (uint64_t)ceil(part * (double)told);
    return (double)latency[rank ? rank - 1 : 0] / 1e3;
}

int main(int count, char **word)
{
    if (count != 8)
        die("expected PORT resp|http REQUESTS CONNECTIONS RATE SECONDS SEED");
    size_t (*answer)(const char *, size_t) = strcmp(word[2], "resp") ? answer_http : answer_resp;
    unsigned connections = (unsigned)atoi(word[4]), next = 0;
    double rate = atof(word[5]), seconds = atof(word[6]);
    unsigned short state[3] = { (unsigned short)atoi(word[7]), 2, 3 };
    requests_read(word[3]);
    most_told = (uint64_t)(seconds * (rate > 0 ? rate * 2 : 2e6)) + 1000;
    latency = malloc(most_told * sizeof *latency);
    struct connection *all = calloc(connections, sizeof *all);
    struct sockaddr_in there = { .sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(word[1])) };
    there.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    int poll = epoll_create1(0), one = 1;
    for (unsigned i = 0; i < connections; i++) {
        struct epoll_event event = { .events = EPOLLIN, .data.ptr = &all[i] };
        all[i].fd = socket(AF_INET, SOCK_STREAM, 0);
        if (connect(all[i].fd, (struct sockaddr *)&there, sizeof there) ||
            epoll_ctl(poll, EPOLL_CTL_ADD, all[i].fd, &event))
            die("connect");
        setsockopt(all[i].fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
    }
    uint64_t begun = now_ns(), end = begun + (uint64_t)(seconds * 1e9), due = begun, open = 0, answers = 0,
             last = begun;
    for (unsigned i = 0; rate <= 0 && i < connections; i++, open++)
        ask(&all[i], begun);
    for (uint64_t now = begun; open || (rate > 0 ? due : now) < end; now = now_ns()) {
        if (now > end + PATIENCE_NS)
            die("answers are missing");
        for (; rate > 0 && due <= now && due < end; open++) {
            ask(&all[next++ % connections], due);
            due += (uint64_t)(-log(1 - erand48(state)) / rate * 1e9);
        }
        struct epoll_event event[64];
        int ready = epoll_wait(poll, event, 64, 0);
        for (int i = 0; i < ready; i++) {
            struct connection *c = event[i].data.ptr;
            ssize_t got = read(c->fd, c->text + c->held, ROOM - 1 - c->held);
            if (got <= 0)
                die("the server hangs up");
            last = now_ns();
            c->held += (size_t)got;
            c->text[c->held] = 0;
            size_t at = 0;
            for (size_t bytes; at < c->held && (bytes = answer(c->text + at, c->held - at)) != 0; at += bytes) {
                uint64_t asked = c->due[c->answered++ % QUEUE];
                open--;
                answers++;
                if (asked >= begun + WARM_NS && told < most_told)
                    latency[told++] = last - asked;
                if (rate <= 0 && last < end)
                    ask(c, last), open++;
            }
            memmove(c->text, c->text + at, c->held -= at);
        }
    }
    qsort(latency, told, sizeof *latency, later);
    if (!told)
        die("no answers");
    printf(
        "{\"answers\": %llu, \"told\": %llu, \"seconds\": %.6f, \"p50\": %.3f, \"p99\": %.3f, \"p999\": %.3f, \"most\": %.3f}\n",
        (unsigned long long)answers, (unsigned long long)told, (double)(last - begun) / 1e9, part_us(0.5),
        part_us(0.99), part_us(0.999), part_us(1));
    return 0;
}
