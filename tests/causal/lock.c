/* SPDX-License-Identifier: MIT */
/* lock.c compute|sleep ITEMS PREPARE UPDATE: THREADS threads (2) that each prepare an item, and update under a lock of
 * all. */
#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#ifndef THREADS
#define THREADS 2
#endif
static int items;
static double units[2];
static unsigned sum;

PROFPLUG_STAGE("prepare") static void prepare(void) { work(units[0]); }
PROFPLUG_STAGE("update") static void update(void) { sum += work(units[1]); }

static void *worker(void *unused)
{
    PROFPLUG_LOOP("items")
    for (int i = 0; i < items / THREADS; i++) {
        prepare();
        pthread_mutex_lock(&lock);
        update();
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    work_choose(argv[1]);
    items = atoi(argv[2]);
    units[0] = atof(argv[3]);
    units[1] = atof(argv[4]);
    for (int i = 1; i < THREADS; i++)
        pthread_create(&thread[i], NULL, worker, NULL);
    worker(NULL);
    for (int i = 1; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    return sum == 12345;
}
