/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* libraries: -pthread */
/* lockcalls.c: two threads count which birds were heard where, in one table under a lock. The twin counts in tables of
 * its own threads, and adds these up at the end. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define BIRDS 64
#define CALLS 4000000

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t table[BIRDS];

struct walk {
    uint32_t seed, calls;
    uint32_t heard[BIRDS];
};

static uint32_t bird_of(uint32_t *seed)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed % BIRDS;
}

__attribute__((noinline)) static void note(struct walk *w, uint32_t bird)
{
#ifdef FIXED
    w->heard[bird]++;
#else
    (void)w;
    pthread_mutex_lock(&table_lock); /* @ */
    table[bird]++;
    pthread_mutex_unlock(&table_lock); /* @ */
#endif
}

static void *walk_take(void *given)
{
    struct walk *w = given;
    for (uint32_t i = 0; i < w->calls; i++) {
        uint32_t bird = 0;
        for (int look = 0; look < 4; look++)
            bird += bird_of(&w->seed);
        note(w, bird % BIRDS);
    }
    pthread_mutex_lock(&table_lock);
    for (int i = 0; i < BIRDS; i++)
        table[i] += w->heard[i];
    pthread_mutex_unlock(&table_lock);
    return NULL;
}

int main(int argc, char **argv)
{
    double size = argc > 1 ? atof(argv[1]) : 1;
    struct walk *walk = calloc(2, sizeof *walk);
    pthread_t thread[2];
    uint64_t sum = 0;
    if (!walk)
        return 2;
    for (int i = 0; i < 2; i++) {
        walk[i].seed = 17u + (uint32_t)i;
        walk[i].calls = (uint32_t)(CALLS * size);
        if (pthread_create(&thread[i], NULL, walk_take, &walk[i]))
            return 2;
    }
    for (int i = 0; i < 2; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t i = 0; i < BIRDS; i++)
        sum += table[i] * (uint64_t)(i + 1);
    printf("%llu\n", (unsigned long long)sum);
    free(walk);
    return 0;
}
