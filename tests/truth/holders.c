/* SPDX-License-Identifier: MIT */
/* holders.c: threads that wait for locks which others hold, each pair on lines of its own. Prints for each wait "LINE
 * HOLDER ns inside what": the line that waited, the line that had taken the lock, how long by the program's clock, how
 * much of that its holder waited itself, and in what. A wait with two holders in a row has a row for each. */
#define _GNU_SOURCE
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER, recursive, other = PTHREAD_MUTEX_INITIALIZER,
                       convoy = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static mtx_t plain;
static int channel[2];
static _Atomic int held, over, held_line, second_line; /* held, over: cases that were begun, and that are done */
static _Atomic uint64_t inside_ns, taken_ns;
static const char *_Atomic what;
static _Atomic pid_t third;

static uint64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
static void rest(unsigned ms) /* no wait */
{
    for (uint64_t until = now_ns() + ms * UINT64_C(1000000); now_ns() < until;)
        continue;
}
static void until(_Atomic int *count, int number)
{
    while (*count < number)
        sched_yield();
}

/* What a holder does with its lock. */
static void computes(void) { rest(30); }
static void sleeps(void)
{
    uint64_t t = now_ns();
    nanosleep(&(struct timespec){ 0, 30000000 }, NULL);
    inside_ns = now_ns() - t;
    what = "sleep";
}
static void reads(void)
{
    char c;
    uint64_t t = now_ns();
    if (read(channel[0], &c, 1) != 1)
        abort();
    inside_ns = now_ns() - t;
    what = "read";
}
static void works_then_sleeps(void)
{
    rest(30);
    sleeps();
}
static void takes_it_again(void) /* also another lock, which nobody waits for */
{
    rest(20);
    pthread_mutex_lock(&recursive);
    pthread_mutex_lock(&other);
    pthread_mutex_unlock(&other);
    pthread_mutex_unlock(&recursive);
    rest(20);
}

/* Of two threads, one holds and the other waits. */
#define HOLDS(take, holds, give)           \
    do {                                   \
        take, held_line = __LINE__;        \
        inside_ns = 0, what = "-", held++; \
        holds();                           \
        give, until(&over, held);          \
    } while (0)
#define WAITS(number, take, give)                                                                  \
    do {                                                                                           \
        until(&held, number);                                                                      \
        uint64_t t_ = now_ns();                                                                    \
        take;                                                                                      \
        t_ = now_ns() - t_;                                                                        \
        printf("%d %d %.0f %.0f %s\n", __LINE__, held_line, (double)t_, (double)inside_ns, what); \
        give, over++;                                                                              \
    } while (0)

static void *holder(void *unused)
{
    HOLDS(pthread_mutex_lock(&mutex), computes, pthread_mutex_unlock(&mutex));
    HOLDS(pthread_mutex_lock(&mutex), sleeps, pthread_mutex_unlock(&mutex));
    HOLDS(pthread_mutex_lock(&mutex), reads, pthread_mutex_unlock(&mutex));
    HOLDS(pthread_mutex_trylock(&mutex), works_then_sleeps, pthread_mutex_unlock(&mutex));
    HOLDS(pthread_rwlock_wrlock(&shared), sleeps, pthread_rwlock_unlock(&shared));
    HOLDS(pthread_rwlock_rdlock(&shared), computes, pthread_rwlock_unlock(&shared));
    HOLDS(mtx_lock(&plain), sleeps, mtx_unlock(&plain));
    HOLDS(pthread_mutex_lock(&recursive), takes_it_again, pthread_mutex_unlock(&recursive));
    /* A condition gives the lock back, and takes it again. */
    pthread_mutex_lock(&mutex);
    held++;
    HOLDS(pthread_cond_wait(&condition, &mutex), computes, pthread_mutex_unlock(&mutex));
    return unused;
}

static void *writer(void *unused)
{
    until(&held, 3);
    rest(30);
    if (write(channel[1], "x", 1) != 1)
        abort();
    return unused;
}

/* ---- two holders in a row ---- */

static void *next(void *unused)
{
    pthread_mutex_lock(&convoy);
    second_line = __LINE__ - 1, taken_ns = now_ns();
    nanosleep(&(struct timespec){ 0, 20000000 }, NULL);
    pthread_mutex_unlock(&convoy);
    return unused;
}

static void *last(void *unused)
{
    third = gettid();
    uint64_t t = now_ns();
    pthread_mutex_lock(&convoy);
    uint64_t end = now_ns();
    int line = __LINE__ - 2;
    printf("%d %d %.0f 0 -\n", line, held_line, (double)(taken_ns - t));
    printf("%d %d %.0f %.0f sleep\n", line, second_line, (double)(end - taken_ns), (double)(end - taken_ns));
    pthread_mutex_unlock(&convoy);
    return unused;
}

static bool is_asleep(pid_t thread)
{
    char path[64], text[512] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)thread);
    FILE *f = fopen(path, "r");
    if (f)
        fread(text, 1, sizeof text - 1, f), fclose(f);
    char *state = strrchr(text, ')');
    return state && state[2] == 'S';
}

int main(void)
{
    pthread_t thread[2];
    pthread_mutexattr_t kind;
    pthread_mutexattr_init(&kind);
    pthread_mutexattr_settype(&kind, PTHREAD_MUTEX_RECURSIVE);
    if (pthread_mutex_init(&recursive, &kind) || mtx_init(&plain, mtx_plain) != thrd_success || pipe(channel) ||
        pthread_create(&thread[0], NULL, holder, NULL) || pthread_create(&thread[1], NULL, writer, NULL))
        return 2;
    WAITS(1, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex));
    WAITS(2, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex));
    WAITS(3, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex));
    WAITS(4, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex));
    WAITS(5, pthread_rwlock_rdlock(&shared), pthread_rwlock_unlock(&shared));
    WAITS(6, pthread_rwlock_wrlock(&shared), pthread_rwlock_unlock(&shared));
    WAITS(7, mtx_lock(&plain), mtx_unlock(&plain));
    WAITS(8, pthread_mutex_lock(&recursive), pthread_mutex_unlock(&recursive));
    until(&held, 9);
    do {
        rest(1);
    } while (pthread_mutex_trylock(&mutex));
    over++, pthread_cond_signal(&condition);
    pthread_mutex_unlock(&mutex);
    WAITS(10, pthread_mutex_lock(&mutex), pthread_mutex_unlock(&mutex));
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);

    pthread_mutex_lock(&convoy), held_line = __LINE__;
    if (pthread_create(&thread[0], NULL, next, NULL))
        return 2;
    rest(20);
    if (pthread_create(&thread[1], NULL, last, NULL))
        return 2;
    while (!third || !is_asleep(third))
        continue;
    rest(20);
    pthread_mutex_unlock(&convoy);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    return 0;
}
