/* SPDX-License-Identifier: MIT */
/* lock.c compute|sleep ITEMS PREPARE UPDATE: two threads that each prepare an item, and update under a lock of both. */
#include "work.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int items;
static double units[2];
static unsigned sum;

PROFPLUG_STAGE("prepare") static void prepare(void) { work(units[0]); }
PROFPLUG_STAGE("update") static void update(void) { sum += work(units[1]); }

static void *worker(void *unused)
{
    PROFPLUG_LOOP("items")
    for (int i = 0; i < items / 2; i++) {
        prepare();
        pthread_mutex_lock(&lock);
        update();
        pthread_mutex_unlock(&lock);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    work_choose(argv[1]);
    items = atoi(argv[2]);
    units[0] = atof(argv[3]);
    units[1] = atof(argv[4]);
    pthread_create(&thread, NULL, worker, NULL);
    worker(NULL);
    pthread_join(thread, NULL);
    return sum == 12345;
}
