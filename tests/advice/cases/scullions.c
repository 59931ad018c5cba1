/* SPDX-License-Identifier: MIT */
/* rule: meetings */
/* libraries: -pthread */
/* sizes: 0.3 1 */
/* says: condition */
/* does: pthread_cond_signal */
/* scullions.c: three scullions wash plates for a cook, who takes them from a shelf with room for one, and all are woken
 * whenever it changes. In the twin each brings plates by the pile, to a shelf with room for several. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SCULLIONS 3
#ifdef FIXED
#define PILE 200
#define ROOM 8
#else
#define PILE 1
#define ROOM 1
#endif

struct pile {
    uint32_t plate[PILE];
};

static struct pile shelf[ROOM];
static unsigned brought, taken, next, piles;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;

static uint32_t plate_wash(uint32_t plate)
{
    for (unsigned i = 0; i < 300; i++)
        plate = plate * 1664525u + 1013904223u;
    return plate >> 9;
}

static void *plates_bring(void *nothing)
{
    struct pile mine;
    for (;;) {
        pthread_mutex_lock(&lock);
        unsigned which = next++;
        pthread_mutex_unlock(&lock);
        if (which >= piles)
            return nothing;
        for (unsigned i = 0; i < PILE; i++)
            mine.plate[i] = plate_wash(which * PILE + i);
        pthread_mutex_lock(&lock);
        while (brought - taken == ROOM)
            pthread_cond_wait(&changed, &lock); /* @ */
        shelf[brought++ % ROOM] = mine;
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
    }
}

int main(int argc, char **argv)
{
    pthread_t scullion[SCULLIONS];
    uint64_t sum = 0;
    piles = (unsigned)(30000 * (argc > 1 ? atof(argv[1]) : 1)) / PILE;
    for (unsigned i = 0; i < SCULLIONS; i++)
        if (pthread_create(&scullion[i], NULL, plates_bring, NULL))
            return 1;
    for (unsigned p = 0; p < piles; p++) {
        pthread_mutex_lock(&lock);
        while (brought == taken)
            pthread_cond_wait(&changed, &lock); /* @ */
        struct pile mine = shelf[taken++ % ROOM];
        pthread_cond_broadcast(&changed);
        pthread_mutex_unlock(&lock);
        for (unsigned i = 0; i < PILE; i++)
            sum += plate_wash(mine.plate[i]);
    }
    for (unsigned i = 0; i < SCULLIONS; i++)
        pthread_join(scullion[i], NULL);
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
