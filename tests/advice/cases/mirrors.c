/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 2 */
/* rule: imbalance */
/* neither: sleeps */
/* libraries: -pthread */
/* mirrors.c: four threads fetch pages from mirrors, each from one of its own. Pages were dealt out in parts of equal
 * length before those that are there already were left out, so that one thread fetches most of the rest. In the twin
 * only those that are left are dealt out. Nobody computes much. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define THREADS 4

static int line[THREADS][2];
static unsigned pages, *wanted, count;
static uint64_t *page;

static void *mirror_serve(void *of)
{
    uint64_t number;
    int fd = line[(uintptr_t)of][1];
    while (read(fd, &number, sizeof number) == sizeof number) {
        struct timespec takes = { 0, 2000000 };
        nanosleep(&takes, NULL);
        number = number * 6364136223846793005u + 1442695040888963407u;
        if (write(fd, &number, sizeof number) != sizeof number)
            break;
    }
    return NULL;
}

static uint64_t page_fetch(int fd, uint64_t number)
{
    if (write(fd, &number, sizeof number) != sizeof number || read(fd, &number, sizeof number) != sizeof number)
        exit(1);
    return number;
}

static void *pages_fetch(void *of)
{
    unsigned own = (unsigned)(uintptr_t)of;
#ifdef FIXED
    unsigned from = count / THREADS * own, to = count / THREADS * (own + 1);
#else
    unsigned from = 0, to;
    while (from < count && wanted[from] < pages / THREADS * own)
        from++;
    for (to = from; to < count && wanted[to] < pages / THREADS * (own + 1);)
        to++;
#endif
    for (unsigned i = from; i < to; i++)
        page[wanted[i]] = page_fetch(line[own][0], wanted[i]); /* @ */
    return NULL; /* @ */
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS], mirror[THREADS];
    uint64_t sum = 0;
    pages = (unsigned)(600 * (argc > 1 ? atof(argv[1]) : 1));
    wanted = calloc(pages, sizeof *wanted);
    page = calloc(pages, sizeof *page);
    for (unsigned i = 0; i < pages; i++) /* the last third is new, and some of the others */
        if (i >= pages / 4 * 3 || i % 10 == 0)
            wanted[count++] = i;
    count -= count % THREADS;
    for (uintptr_t i = 0; i < THREADS; i++)
        if (socketpair(AF_UNIX, SOCK_STREAM, 0, line[i]) || pthread_create(&mirror[i], NULL, mirror_serve, (void *)i))
            return 1;
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, pages_fetch, (void *)i); /* @ */
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (unsigned i = 0; i < THREADS; i++) {
        close(line[i][0]);
        pthread_join(mirror[i], NULL);
    }
    for (unsigned i = 0; i < pages; i++)
        sum = sum * 31 + page[i];
    printf("%llu\n", (unsigned long long)sum);
    free(wanted);
    free(page);
    return 0;
}
