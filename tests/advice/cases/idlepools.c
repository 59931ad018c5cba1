/* SPDX-License-Identifier: MIT */
/* sizes: 1 3 */
/* rule: imbalance */
/* libraries: -pthread */
/* idlepools.c: one function starts a pool that computes and a pool that prints, which has next to nothing to do. Where the
 * first has one thread alone, nothing is shared out, though one of all threads does all the work. */
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef FIXED
#define WORKERS 1
#else
#define WORKERS 2
#endif
#define PRINTERS 4
#define JOBS 64
#define FIRST 52

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    unsigned next, jobs;
    bool is_over;
    void (*work)(unsigned job);
};

static uint64_t sums[JOBS];
static long steps;
static char said[5];

/* The first job is most of the work. */
static void job_compute(unsigned job)
{
    unsigned first = job == 0 ? 0 : FIRST - 1 + job, last = job == 0 ? FIRST : first + 1;
    for (unsigned at = first; at < last && at < JOBS; at++) {
        uint64_t x = at + 1;
        for (long i = 0; i < steps; i++) {
            x ^= x << 13;
            x ^= x >> 7;
            x ^= x << 17;
        }
        sums[at] = x;
    }
}

static void job_print(unsigned job)
{
    said[job] = (char)('a' + job);
}

static void *pool_thread(void *of) /* @ */
{
    struct pool *pool = of;
    pthread_mutex_lock(&pool->lock);
    for (;;) {
        if (pool->next < pool->jobs) {
            unsigned job = pool->next++;
            pthread_mutex_unlock(&pool->lock);
            pool->work(job); /* @ */
            pthread_mutex_lock(&pool->lock);
        } else if (pool->is_over) {
            break;
        } else {
            pthread_cond_wait(&pool->changed, &pool->lock);
        }
    }
    pthread_mutex_unlock(&pool->lock);
    return NULL;
}

static void pool_start(struct pool *pool, pthread_t *thread, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        if (pthread_create(&thread[i], NULL, pool_thread, pool)) /* @ */
            exit(2);
}

static void pool_add(struct pool *pool, unsigned jobs, bool is_last)
{
    pthread_mutex_lock(&pool->lock);
    pool->jobs += jobs;
    pool->is_over = is_last;
    pthread_cond_broadcast(&pool->changed);
    pthread_mutex_unlock(&pool->lock);
}

static void pool_join(pthread_t *thread, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        pthread_join(thread[i], NULL);
}

int main(int argc, char **argv)
{
    steps = (long)(4e6 * (argc > 1 ? atof(argv[1]) : 1));
    struct pool computing = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
    struct pool printing = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };
    pthread_t worker[WORKERS], printer[PRINTERS];
    computing.work = job_compute;
    printing.work = job_print;
    pool_start(&computing, worker, WORKERS);
    pool_start(&printing, printer, PRINTERS);
    pool_add(&printing, 4, false);
    pool_add(&computing, JOBS, true);
    pool_join(worker, WORKERS);
    pool_add(&printing, 0, true);
    pool_join(printer, PRINTERS);
    uint64_t sum = 0;
    for (unsigned i = 0; i < JOBS; i++)
        sum = sum * 31 + sums[i];
    printf("%s %llu\n", said, (unsigned long long)sum);
    return 0;
}
