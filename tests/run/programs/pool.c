/* SPDX-License-Identifier: MIT */
/* pool.c: a library of somebody else's: threads that call what they are given. With -DEARLY it makes them when it is loaded, before the program has anything. */
#include <pthread.h>
#include <unistd.h>

#define THREADS 3
static void (*volatile call)(int, int);
static pthread_t thread[THREADS];

static void *work(void *times)
{
    while (!call)
        usleep(100);
    for (long i = 0; i < (long)times; i++)
        call((int)i, 1);
    return times;
}

static void make(void)
{
    for (int i = 0; i < THREADS && !thread[i]; i++)
        pthread_create(&thread[i], 0, work, (void *)100000l);
}

#ifdef EARLY
__attribute__((constructor)) static void begin(void) { make(); }
#endif

void pool_run(void (*function)(int, int));
void pool_run(void (*function)(int, int))
{
    make();
    call = function;
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], 0);
}
