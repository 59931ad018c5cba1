/* SPDX-License-Identifier: MIT */
/* Asks an exchange, which is a thread behind a socket, for quotes of papers, one after another, and values each. Prints
 * a sum over the values. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define DAYS 64

struct quote {
    uint32_t paper;
    uint32_t cents[DAYS];
};

static void *exchange_thread(void *argument)
{
    int fd = *(int *)argument;
    struct quote quote;
    while (recv(fd, &quote.paper, sizeof quote.paper, MSG_WAITALL) == sizeof quote.paper) {
        struct timespec takes = { 0, 2000000 };
        nanosleep(&takes, NULL);
        for (uint32_t i = 0; i < DAYS; i++) quote.cents[i] = 1000 + (quote.paper * 2654435761u + i * 40503u) % 500;
        if (send(fd, &quote, sizeof quote, 0) != sizeof quote) break;
    }
    return NULL;
}

static int quote_ask(int fd, uint32_t paper)
{
    return send(fd, &paper, sizeof paper, 0) != sizeof paper;
}

static int quote_receive(int fd, struct quote *quote)
{
    return recv(fd, quote, sizeof *quote, MSG_WAITALL) != sizeof *quote; /* @ */
}

static double quote_value(const struct quote *quote)
{
    double mean = 0, value = 0;
    for (int i = 0; i < DAYS; i++) mean += quote->cents[i] / (double)DAYS;
    for (int pass = 0; pass < 6000; pass++)
        for (int i = 0; i < DAYS; i++) value = value * 0.999 + (quote->cents[i] - mean) * (pass & 3);
    return value;
}

static int papers_value(int fd, uint32_t papers, double *sum)
{
    struct quote quote;
#ifdef FIXED
    if (quote_ask(fd, 0)) return 1;
#endif
    for (uint32_t i = 0; i < papers; i++) {
#ifdef FIXED
        if (quote_receive(fd, &quote)) return 1;
        if (i + 1 < papers && quote_ask(fd, i + 1)) return 1;
#else
        if (quote_ask(fd, i)) return 1; /* @ */
        if (quote_receive(fd, &quote)) return 1; /* @ */
#endif
        *sum += quote_value(&quote);
    }
    return 0;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    int pair[2];
    double sum = 0;
    pthread_t exchange;
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
    if (pthread_create(&exchange, NULL, exchange_thread, &pair[1])) return 1;
    if (papers_value(pair[0], (uint32_t)(180 * scale) + 1, &sum)) return 1;
    close(pair[0]);
    pthread_join(exchange, NULL);
    printf("%.6f\n", sum);
    return 0;
}
