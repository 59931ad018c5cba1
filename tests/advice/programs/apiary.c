/* SPDX-License-Identifier: MIT */
/* Bees bring pollen to a hive: a forager thread makes loads and puts each into a basket, a keeper thread takes it and
 * weighs it. The basket holds one load. Prints the weight of all loads. */
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct basket {
    atomic_int full;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint64_t load;
};

static struct basket basket = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
static unsigned loads;

static void basket_await(int full)
{
#ifdef FIXED
    pthread_mutex_lock(&basket.lock);
    while (atomic_load(&basket.full) != full) pthread_cond_wait(&basket.changed, &basket.lock);
    pthread_mutex_unlock(&basket.lock);
#else
    while (atomic_load(&basket.full) != full) /* @ */
        sched_yield(); /* @ */
#endif
}

static void basket_turn(int full)
{
    pthread_mutex_lock(&basket.lock);
    atomic_store(&basket.full, full);
    pthread_cond_signal(&basket.changed);
    pthread_mutex_unlock(&basket.lock);
}

static uint64_t pollen_gather(unsigned trip)
{
    struct timespec flight = { 0, 1500000 };
    uint64_t grains = trip;
    nanosleep(&flight, NULL);
    for (unsigned i = 0; i < 100000; i++) grains = (grains ^ i) * 1099511628211ULL;
    return grains;
}

static void *forager(void *nothing)
{
    for (unsigned trip = 0; trip < loads; trip++) {
        uint64_t load = pollen_gather(trip);
        basket_await(0);
        basket.load = load;
        basket_turn(1);
    }
    return nothing;
}

static uint64_t load_weigh(uint64_t load)
{
    uint64_t weight = 0;
    for (unsigned i = 0; i < 80000; i++) {
        load = load * 6364136223846793005ULL + 1442695040888963407ULL;
        weight += load >> 60;
    }
    return weight;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    pthread_t thread;
    uint64_t sum = 0;
    loads = (unsigned)(200 * scale) + 1;
    if (pthread_create(&thread, NULL, forager, NULL)) return 1;
    for (unsigned i = 0; i < loads; i++) {
        basket_await(1);
        uint64_t load = basket.load;
        basket_turn(0);
        sum += load_weigh(load);
    }
    pthread_join(thread, NULL);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
