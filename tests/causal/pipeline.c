/* SPDX-License-Identifier: MIT */
/* pipeline.c compute|sleep ITEMS READ CONVERT WRITE: three threads with queues of four between them. READ, CONVERT and
 * WRITE are the units of work for each item. The slowest alone decides how long it takes. */
#include "work.h"

#define ROOM 4

struct queue {
    pthread_mutex_t lock;
    pthread_cond_t change;
    int count;
};
static struct queue queue[2] = { { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 },
                                 { PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0 } };
static int items;
static double units[3];
static unsigned sum;

static void put(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (q->count == ROOM)
        pthread_cond_wait(&q->change, &q->lock);
    q->count++;
    pthread_cond_signal(&q->change);
    pthread_mutex_unlock(&q->lock);
}

static void get(struct queue *q)
{
    pthread_mutex_lock(&q->lock);
    while (!q->count)
        pthread_cond_wait(&q->change, &q->lock);
    q->count--;
    pthread_cond_signal(&q->change);
    pthread_mutex_unlock(&q->lock);
}

PROFPLUG_STAGE("read") static void one_read(void) { sum += work(units[0]); }
PROFPLUG_STAGE("convert") static void one_convert(void) { sum += work(units[1]); }
PROFPLUG_STAGE("write") static void one_write(void) { sum += work(units[2]); }

static void *reader(void *unused)
{
    for (int i = 0; i < items; i++) {
        one_read();
        put(&queue[0]);
    }
    return unused;
}

static void *converter(void *unused)
{
    for (int i = 0; i < items; i++) {
        get(&queue[0]);
        one_convert();
        put(&queue[1]);
    }
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread[2];
    work_choose(argv[1]);
    items = atoi(argv[2]);
    for (int i = 0; i < 3; i++)
        units[i] = atof(argv[3 + i]);
    pthread_create(&thread[0], NULL, reader, NULL);
    pthread_create(&thread[1], NULL, converter, NULL);
    PROFPLUG_LOOP("items")
    for (int i = 0; i < items; i++) {
        get(&queue[1]);
        one_write();
    }
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return sum == 12345;
}
