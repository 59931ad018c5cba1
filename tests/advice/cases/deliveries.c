/* SPDX-License-Identifier: MIT */
/* rule: sleeps */
/* sizes: 0.3 1 3 */
/* deliveries.c: two threads hand parcels to each other through one shelf; both look every millisecond whether it is
 * full or empty, at one line. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static int is_full;
static unsigned parcel;

static void shelf_enter(int full)
{
    pthread_mutex_lock(&door);
    while (is_full != full) {
#ifndef FIXED
        pthread_mutex_unlock(&door);
        usleep(1500); /* @ */
        pthread_mutex_lock(&door);
#else
        pthread_cond_wait(&moved, &door);
#endif
    }
}

static void shelf_leave(int full)
{
    is_full = full;
    pthread_cond_signal(&moved);
    pthread_mutex_unlock(&door);
}

static unsigned stir(unsigned value)
{
    for (int i = 0; i < 20000; i++)
        value = value * 1664525u + 1013904223u;
    return value;
}

static void *pack(void *count)
{
    unsigned next = 1;
    for (int i = 0; i < *(int *)count; i++) {
        next = stir(next);
        shelf_enter(0);
        parcel = next;
        shelf_leave(1);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int count = (int)(400 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned sum = 0;
    pthread_t packer;
    if (pthread_create(&packer, NULL, pack, &count))
        return 1;
    for (int i = 0; i < count; i++) {
        shelf_enter(1);
        unsigned taken = parcel;
        shelf_leave(0);
        sum += stir(taken);
    }
    pthread_join(packer, NULL);
    printf("%u of %d parcels\n", sum, count);
    return 0;
}
