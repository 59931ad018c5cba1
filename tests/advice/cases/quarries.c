/* SPDX-License-Identifier: MIT */
/* rule: sleeps */
/* libraries: -pthread */
/* sizes: 4 */
/* wide: 4 10 */
/* quarries.c: carts bring stones to a yard, and look again and again whether there is room; two masons saw them. Where
 * the yard has room for one stone, the masons wait for the carts. With FIXED it has room for more than they saw between
 * two looks. Then their saws are at work all the time, and how the carts wait makes no difference. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define MASONS 2
#ifndef FIXED
#define ROOM 1
#else
#define ROOM 40
#endif

static struct {
    pthread_mutex_t lock;
    pthread_cond_t brought;
    uint32_t stone[ROOM], first, count;
    int closed;
} yard = { .lock = PTHREAD_MUTEX_INITIALIZER, .brought = PTHREAD_COND_INITIALIZER };
static uint32_t wall;

static uint32_t stone_cut(int saw, uint32_t stone)
{
    uint64_t cuts;
    struct itimerspec once = { .it_value.tv_nsec = 7000000 };
    if (timerfd_settime(saw, 0, &once, NULL) || read(saw, &cuts, sizeof cuts) != sizeof cuts)
        abort();
    return stone * 1664525u + (stone >> 13);
}

static void *mason_work(void *unused)
{
    int saw = timerfd_create(CLOCK_MONOTONIC, 0); /* a device, as others that somebody waits for */
    for (;;) {
        pthread_mutex_lock(&yard.lock);
        while (!yard.count && !yard.closed)
            pthread_cond_wait(&yard.brought, &yard.lock);
        if (!yard.count)
            break;
        uint32_t stone = yard.stone[yard.first++ % ROOM];
        yard.count--;
        pthread_mutex_unlock(&yard.lock);
        __atomic_fetch_xor(&wall, stone_cut(saw, stone), __ATOMIC_RELAXED);
    }
    pthread_mutex_unlock(&yard.lock);
    close(saw);
    return unused;
}

static void stone_bring(uint32_t stone)
{
    pthread_mutex_lock(&yard.lock);
    while (yard.count == ROOM) {
        pthread_mutex_unlock(&yard.lock);
        usleep(20000); /* @ */
        pthread_mutex_lock(&yard.lock);
    }
    yard.stone[(yard.first + yard.count++) % ROOM] = stone;
    pthread_cond_signal(&yard.brought);
    pthread_mutex_unlock(&yard.lock);
}

int main(int argc, char **argv)
{
    pthread_t mason[MASONS];
    uint32_t count = (uint32_t)(100 * (argc > 1 ? atof(argv[1]) : 1));
    for (int i = 0; i < MASONS; i++)
        pthread_create(&mason[i], NULL, mason_work, NULL);
    for (uint32_t i = 0; i < count; i++)
        stone_bring(i);
    pthread_mutex_lock(&yard.lock);
    yard.closed = 1;
    pthread_cond_broadcast(&yard.brought);
    pthread_mutex_unlock(&yard.lock);
    for (int i = 0; i < MASONS; i++)
        pthread_join(mason[i], NULL);
    printf("%u stones, %08x\n", count, wall);
    return 0;
}
