/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 4 */
/* libraries: -pthread */
/* atomics.c: two threads count the pixels of a picture that are bright. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PIXELS 65536
#define THREADS 2

static uint8_t pixel[THREADS][PIXELS];
static _Atomic long light, pictures;
static unsigned rounds;

static void light_count(const uint8_t *of)
{
#ifdef FIXED
    long mine = 0;
    for (int i = 0; i < PIXELS; i++)
        mine += of[i];
    atomic_fetch_add(&light, mine);
#else
    for (int i = 0; i < PIXELS; i++) /* @ */
        atomic_fetch_add(&light, of[i]); /* @ */
#endif
}

static void *count(void *argument)
{
    uint8_t *mine = argument;
    for (unsigned i = 0; i < rounds; i++) {
        mine[i % PIXELS] ^= 1;
        light_count(mine);
        atomic_fetch_add(&pictures, 1);
        for (int k = 0; k < 20000; k++)
            mine[k] = (uint8_t)(mine[k] * 5 + 1);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    rounds = (unsigned)(100 * (argc > 1 ? atof(argv[1]) : 1));
    for (int t = 0; t < THREADS; t++) {
        for (int i = 0; i < PIXELS; i++)
            pixel[t][i] = (uint8_t)((unsigned)i * 2654435761u >> 24);
        if (pthread_create(&thread[t], NULL, count, pixel[t]))
            return 1;
    }
    for (int t = 0; t < THREADS; t++)
        pthread_join(thread[t], NULL);
    printf("%ld pictures, %ld\n", (long)pictures, (long)light);
    return 0;
}
