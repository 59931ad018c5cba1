/* SPDX-License-Identifier: MIT */
/* rule: locks */
/* most: 20 */
/* kind: bound */
/* sizes: 0.5 1 3 */
/* libraries: -pthread */
/* franking.c: one clerk stamps letters with the lock of the basket held, nearly all the time. Three postmen wait for
 * that lock, and have little to do with a letter. The clerk sets the pace, so that a lock held for short saves next to
 * nothing. With FIXED the clerk stamps before they take the lock. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define POSTMEN 3
#define MOST 100000

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t basket[MOST];
static unsigned waiting, letters;
static int closed;
static uint64_t carried[POSTMEN];

static uint32_t work(uint32_t letter, int steps)
{
    for (int i = 0; i < steps; i++)
        letter = letter * 1664525u + (letter >> 13);
    return letter;
}

static void *clerk(void *none)
{
    for (unsigned i = 0; i < letters; i++) {
        uint32_t letter = work(i, 60000);
#ifdef FIXED
        letter = work(letter, 600000);
        pthread_mutex_lock(&lock);
#else
        pthread_mutex_lock(&lock);     /* @ */
        letter = work(letter, 600000); /* @ */
#endif
        basket[waiting++] = letter;
        pthread_mutex_unlock(&lock);
    }
    pthread_mutex_lock(&lock);
    closed = 1;
    pthread_mutex_unlock(&lock);
    return none;
}

static void *postman(void *argument)
{
    uint64_t *sum = argument;
    for (int over = 0; !over;) {
        uint32_t letter = 0;
        int have = 0;
        pthread_mutex_lock(&lock);
        if (waiting) {
            letter = basket[--waiting];
            have = 1;
        } else
            over = closed;
        pthread_mutex_unlock(&lock);
        if (have)
            *sum += work(letter, 120000);
        else
            usleep(300);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t office, street[POSTMEN];
    uint64_t sum = 0;
    letters = (unsigned)(600 * (argc > 1 ? atof(argv[1]) : 1));
    carried[0] = work(1, (int)letters * 90000); /* the post office opens */
    pthread_create(&office, NULL, clerk, NULL);
    for (int i = 0; i < POSTMEN; i++)
        pthread_create(&street[i], NULL, postman, &carried[i]);
    pthread_join(office, NULL);
    for (int i = 0; i < POSTMEN; i++)
        pthread_join(street[i], NULL);
    for (int i = 0; i < POSTMEN; i++)
        sum += carried[i];
    printf("%u letters, %llu\n", letters, (unsigned long long)sum);
    return 0;
}
