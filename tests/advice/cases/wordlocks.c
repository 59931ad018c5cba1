/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 */
/* base: 3 */
/* rule: lockcalls */
/* not: locks */
/* libraries: -pthread */
/* wordlocks.c: two threads count the words of letters in one table. Its lock is held for one short word, and taken for
 * each, so that both fight for it. The twin counts into tables of its threads. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 2
#define LETTER 16384
#define ROOM 512

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint32_t counted[ROOM];
static unsigned rounds;

static unsigned place_of(const char *word, const char *end)
{
    unsigned place = 5381;
    for (; word < end; word++)
        place = place * 33 + (unsigned char)*word;
    return place % ROOM;
}

static void letter_count(const char *letter, uint32_t *mine)
{
    (void)mine;
    for (const char *word = letter; *word; word += word[0] == ' ') {
        const char *end = word + strcspn(word, " ");
        if (end > word) {
#ifdef FIXED
            mine[place_of(word, end)]++;
#else
            pthread_mutex_lock(&lock); /* @ */
            counted[place_of(word, end)]++;
            pthread_mutex_unlock(&lock); /* @ */
#endif
        }
        word = *end ? end : end - 1;
        if (!*end)
            break;
    }
}

static void *letters_count(void *of)
{
    cpu_set_t own;
    CPU_ZERO(&own);
    CPU_SET((uintptr_t)of % 2, &own);
    pthread_setaffinity_np(pthread_self(), sizeof own, &own); /* two threads on one CPU seldom meet at the lock */
    char *letter = malloc(LETTER);
    uint32_t mine[ROOM] = { 0 }, random = (uint32_t)(uintptr_t)of;
    for (unsigned i = 0; i < LETTER - 1; i++) {
        random = random * 1664525 + 1013904223;
        letter[i] = (random >> 24) % 5 ? (char)('a' + (random >> 16) % 26) : ' ';
    }
    letter[LETTER - 1] = 0;
    for (unsigned i = 0; i < rounds; i++)
        letter_count(letter, mine);
    pthread_mutex_lock(&lock);
    for (unsigned i = 0; i < ROOM; i++)
        counted[i] += mine[i];
    pthread_mutex_unlock(&lock);
    free(letter);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    uint64_t sum = 0;
    rounds = (unsigned)(1500 * (argc > 1 ? atof(argv[1]) : 1));
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, letters_count, (void *)(i + 1));
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < ROOM; i++)
        sum = sum * 31 + counted[i];
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
