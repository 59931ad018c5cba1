/* SPDX-License-Identifier: MIT */
/* sizes: 0.2 1 5 */
/* libraries: -pthread */
/* soloists.c: a mill grinds grain for two bakers; with -DFIXED each baker has a mill. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SACK = 4096, SHELF = 8 };
struct sack {
    int number;
    uint8_t flour[SACK];
};
static struct sack shelf[SHELF];
static int ground, taken, sacks;
static uint32_t loaf[4096];
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

static void sack_grind(struct sack *s, int number)
{
    uint32_t grain = (uint32_t)number + 1;
    s->number = number;
    memset(s->flour, 0, SACK);
    for (int round = 0; round < 100; round++)
        for (int i = 0; i < SACK; i++) {
            grain = (grain ^ grain >> 15) * 0x2c1b3c6du;
            s->flour[i] += (uint8_t)(grain >> 24); /* @ */
        }
}

static void sack_bake(const struct sack *s)
{
    uint32_t crust = 1;
    for (int round = 0; round < 4; round++)
        for (int i = 0; i < SACK; i++)
            crust = (crust ^ s->flour[i]) * 16777619u;
    loaf[s->number] = crust;
}

#ifndef FIXED
static void *mill(void *unused)
{
    for (int i = 0; i < sacks; i++) {
        struct sack s;
        sack_grind(&s, i);
        pthread_mutex_lock(&door);
        while (ground - taken == SHELF)
            pthread_cond_wait(&moved, &door);
        shelf[ground++ % SHELF] = s;
        pthread_cond_broadcast(&moved);
        pthread_mutex_unlock(&door);
    }
    return unused;
}
#endif

static int sack_take(struct sack *s)
{
    pthread_mutex_lock(&door);
#ifndef FIXED
    while (ground == taken && taken < sacks)
        pthread_cond_wait(&moved, &door);
#endif
    int number = taken < sacks ? taken++ : -1;
#ifndef FIXED
    if (number >= 0)
        *s = shelf[number % SHELF];
    pthread_cond_broadcast(&moved);
#endif
    pthread_mutex_unlock(&door);
#ifdef FIXED
    if (number >= 0)
        sack_grind(s, number);
#endif
    return number >= 0;
}

static void *baker(void *unused)
{
    struct sack s;
    while (sack_take(&s))
        sack_bake(&s);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread[3];
    int threads = 0;
    uint32_t bread = 0;
    sacks = (int)(500 * (argc > 1 ? atof(argv[1]) : 1));
#ifndef FIXED
    pthread_create(&thread[threads++], NULL, mill, NULL);
#endif
    for (int i = 0; i < 2; i++)
        pthread_create(&thread[threads++], NULL, baker, NULL);
    for (int i = 0; i < threads; i++)
        pthread_join(thread[i], NULL);
    for (int i = 0; i < sacks; i++)
        bread = bread * 31 + loaf[i];
    printf("%u\n", bread);
    return 0;
}
