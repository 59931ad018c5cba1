/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* rule: locks */
/* does: key_find first */
/* libraries: -pthread */
/* porters.c: porters of a hotel look for keys on one board, by its hooks in turn, with the board locked. Each knows the
 * hooks in the twin, which needs no lock for them. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PORTERS 4
#define KEYS 3000

static pthread_mutex_t board = PTHREAD_MUTEX_INITIALIZER;
static uint32_t key[KEYS], used[KEYS], rounds;

__attribute__((noinline)) static uint32_t key_find(uint32_t room)
{
    for (uint32_t i = 0; i < KEYS; i++)
        if (key[i] == room)
            return i;
    return 0;
}

__attribute__((noinline)) static void key_take(uint32_t room)
{
#ifndef FIXED
    pthread_mutex_lock(&board);      /* @ */
    used[key_find(room)]++;          /* @ */
    pthread_mutex_unlock(&board);    /* @ */
#else
    __atomic_fetch_add(&used[(room - 17) / 5], 1, __ATOMIC_RELAXED);
#endif
}

static void *porter(void *arg)
{
    for (uint32_t i = 0, random = (uint32_t)(uintptr_t)arg + 1; i < rounds; i++) {
        random = random * 1103515245 + 12345;
        key_take((random >> 8) % KEYS * 5 + 17);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[PORTERS];
    uint64_t sum = 0;
    rounds = (uint32_t)(40000 * (argc > 1 ? atof(argv[1]) : 1));
    for (uint32_t i = 0; i < KEYS; i++)
        key[i] = i * 5 + 17;
    for (uintptr_t i = 0; i < PORTERS; i++)
        pthread_create(&thread[i], NULL, porter, (void *)i);
    for (int i = 0; i < PORTERS; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t i = 0; i < KEYS; i++)
        sum += used[i] * (uint64_t)i;
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
