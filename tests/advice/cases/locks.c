/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* libraries: -pthread */
/* locks.c: pages of a book are counted by three threads, into one index. A page's text comes from a slow shelf. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define THREADS 3
#define WORDS 1024

static struct index {
    pthread_mutex_t lock;
    uint64_t words[WORDS];
    uint32_t next, pages;
} index_of_book = { .lock = PTHREAD_MUTEX_INITIALIZER };

static uint32_t page_fetch(int shelf, uint32_t number)
{
    struct itimerspec after = { .it_value = { 0, 1500000 } };
    uint64_t times;
    if (timerfd_settime(shelf, 0, &after, NULL) || read(shelf, &times, sizeof times) != sizeof times)
        exit(1);
    return number * 2654435761u;
}

static uint32_t page_count(uint32_t text, uint16_t *word, uint32_t room)
{
    for (uint32_t i = 0; i < room; i++) {
        text = text * 1664525 + 1013904223;
        word[i] = (uint16_t)(text >> 22);
    }
    return room;
}

static void *pages_count(void *of)
{
    struct index *x = of;
    uint16_t word[4000];
    int shelf = timerfd_create(CLOCK_MONOTONIC, 0);
    for (;;) {
        pthread_mutex_lock(&x->lock); /* @ */
        uint32_t page = x->next < x->pages ? x->next++ : UINT32_MAX;
#ifdef FIXED
        pthread_mutex_unlock(&x->lock);
        if (page == UINT32_MAX)
            return NULL;
#endif
        uint32_t text = page == UINT32_MAX ? 0 : page_fetch(shelf, page); /* @ */
#ifndef FIXED
        pthread_mutex_unlock(&x->lock);
        if (page == UINT32_MAX)
            return NULL;
#endif
        uint32_t count = page_count(text, word, 4000);
        pthread_mutex_lock(&x->lock); /* @ */
        for (uint32_t i = 0; i < count; i++)
            x->words[word[i] % WORDS]++;
        pthread_mutex_unlock(&x->lock);
    }
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    uint64_t sum = 0;
    index_of_book.pages = (uint32_t)(300 * (argc > 1 ? atof(argv[1]) : 1));
    for (unsigned i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, pages_count, &index_of_book);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < WORDS; i++)
        sum += index_of_book.words[i] * i;
    printf("%u pages, %llu\n", index_of_book.pages, (unsigned long long)sum);
    return 0;
}
