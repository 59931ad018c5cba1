/* SPDX-License-Identifier: MIT */
/* rule: spins */
/* sizes: 0.3 1 3 */
/* titled: lock */
/* does: pthread_mutex_t */
/* turnstiles.c: four threads add what they found to one table, under a lock of their own making that spins. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { THREADS = 4, PLACES = 4096, FOUND = 400 };

static uint32_t table[PLACES];
static atomic_int next;
static int pieces;
#ifdef FIXED
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#else
static atomic_flag busy = ATOMIC_FLAG_INIT;
#endif

static void table_lock(void)
{
#ifdef FIXED
    pthread_mutex_lock(&lock);
#else
    while (atomic_flag_test_and_set_explicit(&busy, memory_order_acquire)) /* @ */
        ;
#endif
}

static void table_unlock(void)
{
#ifdef FIXED
    pthread_mutex_unlock(&lock);
#else
    atomic_flag_clear_explicit(&busy, memory_order_release);
#endif
}

static void piece_find(uint32_t *found, uint32_t seed)
{
    for (int i = 0; i < FOUND; i++) {
        seed = seed * 1664525u + 1013904223u;
        found[i] = (seed >> 7 ^ seed >> 19) % PLACES;
    }
}

static void *work(void *unused)
{
    uint32_t found[FOUND];
    int i;
    while ((i = atomic_fetch_add(&next, 1)) < pieces) {
        piece_find(found, (uint32_t)i);
        table_lock();
        for (int k = 0; k < FOUND; k++)
            table[found[k]]++;
        for (int k = 0; k < PLACES; k += 4)
            if (table[k] > 1u << 30)
                table[k] >>= 1;
        table_unlock();
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    uint32_t sum = 0;
    pieces = (int)(60000 * (argc > 1 ? atof(argv[1]) : 1));
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, work, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < PLACES; i++)
        sum = sum * 31 + table[i];
    printf("%u\n", sum);
    return 0;
}
