/* SPDX-License-Identifier: MIT */
/* sizes: 0.2 1 4 */
/* rule: sleeps */
/* libraries: -pthread */
/* turns.c: cooks put plates on a counter for waiters; each side looks from time to time whether it can go on. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { PLACES = 4 };
static unsigned plate[PLACES], put_count, taken_count, plates;
static pthread_mutex_t counter = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

static void place_wait(void)
{
    pthread_mutex_lock(&counter);
    while (put_count - taken_count == PLACES) {
#ifdef FIXED
        pthread_cond_wait(&moved, &counter);
#else
        pthread_mutex_unlock(&counter);
        usleep(2000);
        pthread_mutex_lock(&counter);
#endif
    }
    pthread_mutex_unlock(&counter);
}

static void plate_wait(void)
{
    pthread_mutex_lock(&counter);
    while (put_count == taken_count) {
#ifdef FIXED
        pthread_cond_wait(&moved, &counter);
#else
        pthread_mutex_unlock(&counter);
        usleep(2000); /* @ */
        pthread_mutex_lock(&counter);
#endif
    }
    pthread_mutex_unlock(&counter);
}

static void counter_move(unsigned *count)
{
    pthread_mutex_lock(&counter);
    ++*count;
    pthread_cond_signal(&moved);
    pthread_mutex_unlock(&counter);
}

static unsigned dish_make(unsigned seed)
{
    for (int i = 0; i < 60000; i++)
        seed = (seed ^ seed >> 15) * 0x2c1b3c6du;
    return seed;
}

static void *cook(void *unused)
{
    (void)unused;
    for (unsigned i = 0; i < plates; i++) {
        place_wait();
        plate[put_count % PLACES] = dish_make(i);
        counter_move(&put_count);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    unsigned sum = 0;
    plates = (unsigned)(1000 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_create(&thread, NULL, cook, NULL);
    for (unsigned i = 0; i < plates; i++) {
        plate_wait();
        sum = sum * 31 + plate[taken_count % PLACES];
        counter_move(&taken_count);
    }
    pthread_join(thread, NULL);
    printf("%u\n", sum);
    return 0;
}
