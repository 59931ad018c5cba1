/* SPDX-License-Identifier: MIT */
/* workshop.c THREADS ROUNDS: threads that compute, wait for a lock, allocate and write files, with stages, counts and
 * snapshots: something for each view of the page. With a third argument it does one thing more and another less. */
#include <profplug.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static pthread_mutex_t bench = PTHREAD_MUTEX_INITIALIZER;
static int rounds, other;
static volatile uint64_t result;

__attribute__((noinline)) static uint64_t plane(uint64_t n)
{
    uint64_t sum = 1;
    for (uint64_t i = 0; i < n; i++)
        sum = sum * 6364136223846793005u + i;
    return sum;
}

__attribute__((noinline)) static uint64_t sand(uint64_t n) { return plane(n) + plane(n / 2); }

__attribute__((noinline)) static uint64_t varnish(uint64_t n) { return plane(3 * n); }

PROFPLUG_STAGE("cut", "compute")
static char *cut(int round)
{
    char *board = malloc(1000 + (size_t)round % 7 * 100);
    memset(board, round, 1000);
    result += sand(60000) + (other ? varnish(60000) : 0);
    return board;
}

PROFPLUG_STAGE("glue", "io")
static void glue(const char *board, int thread, int round)
{
    char name[64];
    snprintf(name, sizeof name, "board-%d", thread);
    pthread_mutex_lock(&bench);
    FILE *file = fopen(name, round ? "a" : "w");
    for (int i = 0; file && i < 20; i++)
        fwrite(board, 1, 50, file);
    if (file)
        fclose(file);
    if (round % 4 == 0)
        usleep(300);
    pthread_mutex_unlock(&bench);
    profplug_count("boards", 1);
}

static void *work(void *thread)
{
    PROFPLUG_LOOP("rounds")
    for (int i = 0; i < rounds; i++) {
        char *board = cut(i);
        glue(board, (int)(intptr_t)thread, i);
        profplug_gauge("waste", i % 5 * 10);
        if (i % 10)
            free(board); /* every tenth is lost */
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int threads = argc > 1 ? atoi(argv[1]) : 2;
    pthread_t thread[64];
    rounds = argc > 2 ? atoi(argv[2]) : 40;
    other = argc > 3;
    profplug_snapshot("open");
    for (intptr_t i = 0; i < threads && i < 64; i++)
        pthread_create(&thread[i], NULL, work, (void *)i);
    if (!other)
        result += varnish(20000000); /* long enough for samples */
    for (int i = 0; i < threads && i < 64; i++)
        pthread_join(thread[i], NULL);
    profplug_snapshot("closed");
    return result == 0;
}
