/* SPDX-License-Identifier: MIT */
/* An order desk: one thread takes orders and sends each to a replica, another answers questions about the book of
 * orders. Prints a sum over the answers, and the length of all orders. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define ARTICLES 1024u
#define ORDER 96

struct book {
    pthread_mutex_t lock;
    uint64_t amount[ARTICLES];
    int64_t price[ARTICLES];
    uint64_t bytes;
    int replica;
};

static struct book book = { .lock = PTHREAD_MUTEX_INITIALIZER };
static unsigned orders, questions;
static uint64_t answers;

/* The other machine: confirms each order after a while, as one in the next building would. */
static void *replica_thread(void *argument)
{
    char text[ORDER];
    int fd = *(int *)argument;
    while (recv(fd, text, ORDER, MSG_WAITALL) == ORDER) {
        struct timespec way = { 0, 700000 };
        nanosleep(&way, NULL);
        if (send(fd, text, 1, 0) != 1) break;
    }
    return NULL;
}

static uint64_t order_check(const char *text, size_t length)
{
    uint64_t h = 14695981039346656037ULL;
    for (int pass = 0; pass < 4000; pass++)
        for (size_t i = 0; i < length; i++) h = (h ^ (uint8_t)text[i]) * 1099511628211ULL;
    return h;
}

static int order_take(unsigned number)
{
    char text[ORDER] = "", reply;
    int length = snprintf(text, sizeof text, "order %u article %u amount %u\n", number, number % ARTICLES,
                          number % 7 + 1);
    if (!order_check(text, (size_t)length)) return 1;
    pthread_mutex_lock(&book.lock);
    book.bytes += (uint64_t)length;
    book.amount[number % ARTICLES] += number % 7 + 1;
#ifdef FIXED
    pthread_mutex_unlock(&book.lock);
#endif
    int failed = send(book.replica, text, ORDER, 0) != ORDER;
    failed |= recv(book.replica, &reply, 1, 0) != 1; /* @ */
#ifndef FIXED
    pthread_mutex_unlock(&book.lock);
#endif
    return failed;
}

static void *question_thread(void *unused)
{
    uint64_t h = 1;
    for (unsigned i = 0; i < questions; i++) {
        pthread_mutex_lock(&book.lock);
        int64_t price = book.price[i % ARTICLES];
        pthread_mutex_unlock(&book.lock);
        for (unsigned k = 0; k < 900; k++) h = (h ^ (uint64_t)(price + (int64_t)k)) * 1099511628211ULL;
    }
    answers = h;
    return unused;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    orders = (unsigned)(480 * scale) + 1;
    questions = (unsigned)(430000 * scale) + 1;
    for (unsigned i = 0; i < ARTICLES; i++) book.price[i] = 100 + i * 3;
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, pair)) return 1;
    book.replica = pair[0];
    pthread_t desk, replica;
    if (pthread_create(&replica, NULL, replica_thread, &pair[1])) return 1;
    if (pthread_create(&desk, NULL, question_thread, NULL)) return 1;
    for (unsigned i = 0; i < orders; i++)
        if (order_take(i)) return 1;
    pthread_join(desk, NULL);
    close(pair[0]);
    pthread_join(replica, NULL);
    printf("%llu %llu\n", (unsigned long long)answers, (unsigned long long)book.bytes);
    return 0;
}
