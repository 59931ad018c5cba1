/* SPDX-License-Identifier: MIT */
/* sizes: 0.2 1 5 */
/* base: 5 */
/* libraries: -pthread */
/* handoffs.c: a clerk fetches files from a cellar for a lawyer, who reads each; with -DFIXED the clerk fetches ahead. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { PAGES = 4096, DESK = 4 };
static uint32_t file_of[DESK][PAGES];
static int wanted, fetched, files;
static pthread_mutex_t door = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;

static void file_fetch(int number, uint32_t *to)
{
    nanosleep(&(struct timespec){ 0, 2500000 }, NULL); /* the way to the cellar and back */
    for (int i = 0; i < PAGES; i++)
        to[i] = (uint32_t)(number * 31 + i);
}

static uint32_t file_read(const uint32_t *file)
{
    uint32_t sense = 1;
    for (int round = 0; round < 400; round++)
        for (int i = 0; i < PAGES; i++)
            sense = (sense ^ file[i]) * 16777619u;
    return sense;
}

static void *clerk(void *unused)
{
    for (int i = 0; i < files; i++) {
        pthread_mutex_lock(&door);
        while (wanted <= i)
            pthread_cond_wait(&moved, &door);
        pthread_mutex_unlock(&door);
        file_fetch(i, file_of[i % DESK]);
        pthread_mutex_lock(&door);
        fetched = i + 1;
        pthread_cond_signal(&moved);
        pthread_mutex_unlock(&door);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    uint32_t verdict = 0;
    files = (int)(150 * (argc > 1 ? atof(argv[1]) : 1));
    pthread_create(&thread, NULL, clerk, NULL);
    for (int i = 0; i < files; i++) {
        pthread_mutex_lock(&door);
#ifndef FIXED
        wanted = i + 1;
#else
        wanted = i + DESK - 1;
#endif
        pthread_cond_signal(&moved);
        while (fetched <= i)
            pthread_cond_wait(&moved, &door); /* @ */
        pthread_mutex_unlock(&door);
        verdict = verdict * 31 + file_read(file_of[i % DESK]);
    }
    pthread_join(thread, NULL);
    printf("%u\n", verdict);
    return 0;
}
