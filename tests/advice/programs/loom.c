/* SPDX-License-Identifier: MIT */
/* A weaving mill: weavers take patterns from a shelf, weave them and lay the cloth on a table, which is kept sorted.
 * Prints how much cloth there is and a sum over it. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WEAVERS 2u

struct mill {
    pthread_mutex_t lock;
    unsigned patterns, next;
    uint64_t *cloth;
    unsigned woven;
};

static struct mill mill = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint64_t weave(unsigned pattern)
{
    uint64_t thread = pattern * 0x9e3779b97f4a7c15ULL;
    for (unsigned i = 0; i < 40000; i++) thread = (thread ^ i) * 1099511628211ULL;
    return thread;
}

static uint64_t cloth_colour(uint64_t cloth)
{
    uint64_t colour = 0;
    for (unsigned i = 0; i < 120000; i++) {
        cloth = cloth * 6364136223846793005ULL + 1442695040888963407ULL;
        colour ^= cloth >> 21;
    }
    return colour;
}

static int pattern_take(unsigned *pattern)
{
    pthread_mutex_lock(&mill.lock);
    int any = mill.next < mill.patterns;
    if (any) *pattern = mill.next++;
    pthread_mutex_unlock(&mill.lock);
    return any;
}

static void cloth_lay(unsigned pattern, uint64_t cloth)
{
#ifdef FIXED
    uint64_t colour = cloth_colour(cloth);
    pthread_mutex_lock(&mill.lock);
    mill.cloth[pattern] = colour;
#else
    pthread_mutex_lock(&mill.lock); /* @ */
    mill.cloth[pattern] = cloth_colour(cloth); /* @ */
#endif
    mill.woven++;
    pthread_mutex_unlock(&mill.lock);
}

static void *weaver(void *nothing)
{
    unsigned pattern;
    while (pattern_take(&pattern)) cloth_lay(pattern, weave(pattern));
    return nothing;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    pthread_t threads[WEAVERS];
    uint64_t sum = 0;
    mill.patterns = (unsigned)(1500 * scale) + 1;
    mill.cloth = calloc(mill.patterns, sizeof *mill.cloth);
    if (!mill.cloth) return 1;
    for (unsigned i = 0; i < WEAVERS; i++) pthread_create(&threads[i], NULL, weaver, NULL);
    for (unsigned i = 0; i < WEAVERS; i++) pthread_join(threads[i], NULL);
    for (unsigned i = 0; i < mill.patterns; i++) sum = sum * 31 + mill.cloth[i];
    printf("%u %llu\n", mill.woven, (unsigned long long)sum);
    free(mill.cloth);
    return 0;
}
