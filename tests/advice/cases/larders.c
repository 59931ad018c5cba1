/* SPDX-License-Identifier: MIT */
/* rule: sleeps */
/* sizes: 0.5 1 3 */
/* titled: condition */
/* does: pthread_cond_signal */
/* larders.c: one thread makes batches and never says so; the other one looks for them whenever its limit has passed. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { SHELVES = 4, NUMBERS = 20000, LIMIT_NS = 5000000 };

static uint32_t shelf[SHELVES][NUMBERS];
static int first, count, batches;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t filled = PTHREAD_COND_INITIALIZER, emptied = PTHREAD_COND_INITIALIZER;

static void *make(void *unused)
{
    uint32_t state = 3;
    for (int i = 0; i < batches; i++) {
        pthread_mutex_lock(&lock);
        while (count == SHELVES)
            pthread_cond_wait(&emptied, &lock);
        uint32_t *to = shelf[(first + count) % SHELVES];
        pthread_mutex_unlock(&lock);
        for (int k = 0; k < NUMBERS; k++)
            to[k] = state = state * 1664525u + 1013904223u;
        pthread_mutex_lock(&lock);
        count++;
#ifdef FIXED
        pthread_cond_signal(&filled);
#endif
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

static void batch_await(void)
{
    while (!count) {
        struct timespec until;
        clock_gettime(CLOCK_REALTIME, &until);
        until.tv_nsec += LIMIT_NS;
        if (until.tv_nsec >= 1000000000) {
            until.tv_nsec -= 1000000000;
            until.tv_sec++;
        }
        pthread_cond_timedwait(&filled, &lock, &until); /* @ */
    }
}

int main(int argc, char **argv)
{
    pthread_t maker;
    uint32_t sum = 0;
    batches = (int)(500 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_create(&maker, NULL, make, NULL);
    for (int i = 0; i < batches; i++) {
        pthread_mutex_lock(&lock);
        batch_await();
        const uint32_t *from = shelf[first];
        pthread_mutex_unlock(&lock);
        for (int k = 0; k < NUMBERS; k++)
            sum = sum * 3 + from[k];
        pthread_mutex_lock(&lock);
        first = (first + 1) % SHELVES;
        count--;
        pthread_cond_signal(&emptied);
        pthread_mutex_unlock(&lock);
    }
    pthread_join(maker, NULL);
    printf("%u\n", sum);
    return 0;
}
