/* SPDX-License-Identifier: MIT */
/* A restaurant: waiters take orders and queue them, a cook takes them off the queue and cooks. There are few places in
 * the queue. Prints what was cooked and what was cashed. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define PLACES 4u

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned order[PLACES], count, first;
    bool is_closed;
};

static struct queue queue = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
static uint64_t cooked;

static void queue_wait(void)
{
#ifdef FIXED
    pthread_cond_wait(&queue.changed, &queue.lock);
#else
    struct timespec moment = { 0, 4000000 };
    pthread_mutex_unlock(&queue.lock);
    nanosleep(&moment, NULL); /* @ */
    pthread_mutex_lock(&queue.lock);
#endif
}

static void queue_put(unsigned order)
{
    pthread_mutex_lock(&queue.lock);
    while (queue.count == PLACES) queue_wait(); /* @ */
    queue.order[(queue.first + queue.count++) % PLACES] = order;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
}

static bool queue_take(unsigned *order)
{
    pthread_mutex_lock(&queue.lock);
    while (!queue.count && !queue.is_closed) queue_wait(); /* @ */
    bool has_order = queue.count > 0;
    if (has_order) {
        *order = queue.order[queue.first++ % PLACES];
        queue.count--;
        pthread_cond_broadcast(&queue.changed);
    }
    pthread_mutex_unlock(&queue.lock);
    return has_order;
}

static uint64_t work(uint64_t h, unsigned rounds)
{
    for (unsigned i = 0; i < rounds; i++) {
        h ^= h >> 33;
        h *= 0xff51afd7ed558ccdULL;
    }
    return h;
}

static void *cook_thread(void *unused)
{
    unsigned order;
    while (queue_take(&order)) cooked += work(order + 1, 200000 + order % 5 * 40000) >> 20;
    return unused;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned orders = (unsigned)(600 * scale) + 1;
    pthread_t cook;
    uint64_t cashed = 0;
    if (pthread_create(&cook, NULL, cook_thread, NULL)) return 1;
    for (unsigned i = 0; i < orders; i++) {
        cashed += work(i * 7 + 3, 60000) >> 20;
        queue_put(i);
    }
    pthread_mutex_lock(&queue.lock);
    queue.is_closed = true;
    pthread_cond_broadcast(&queue.changed);
    pthread_mutex_unlock(&queue.lock);
    pthread_join(cook, NULL);
    printf("%llu %llu\n", (unsigned long long)cooked, (unsigned long long)cashed);
    return 0;
}
