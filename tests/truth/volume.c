/* SPDX-License-Identifier: MIT */
/* volume.c: what calls of memcpy, memset and the like copy or fill, and what a pool of the program's own hands out, by
 * line and stage, compared with the numbers that the program is made with: constant sizes and others, in a thread, a
 * handler and a fork's child; a pool that is inlined, one that calls another, one that is empty. */
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/wait.h>
#include <unistd.h>

#include <profplug.h>
#include "truth.h"

static char from[1 << 16], to[1 << 16];
static volatile size_t some = 1000;

/* ---- the pools ---- */

static char room[1 << 20];
static size_t used;

static inline __attribute__((malloc, alloc_size(1))) void *pool_get(size_t bytes)
{
    void *at = used + bytes <= sizeof room ? room + used : NULL;
    used += at ? bytes : 0;
    return at;
}

static __attribute__((noinline, malloc, alloc_size(1, 2))) void *pool_array(size_t count, int bytes)
{
    return pool_get(count * (size_t)bytes);              /* not counted, because the caller's own call is */
}

static __attribute__((noinline, malloc)) void *pool_node(void)
{
    return pool_get(48);
}

static void *keep;

/* Nothing comes behind it. */
static __attribute__((noinline)) void last(size_t bytes) { pool_array(bytes, 3); }
enum { LAST_LINE = __LINE__ - 1 };

/* ---- expectations ---- */

static void expect(const char *list, int line, const char *count, uint64_t calls, const char *size, uint64_t bytes)
{
    char name[64];
    snprintf(name, sizeof name, "volume.c:%d", line);
    expect_exact(list, name, count, calls);
    expect_exact(list, name, size, bytes);
}
static void expect_copies(int line, uint64_t calls, uint64_t bytes) { expect("copies", line, "copies", calls, "copy_bytes", bytes); }
static void expect_fills(int line, uint64_t calls, uint64_t bytes) { expect("fills", line, "fills", calls, "fill_bytes", bytes); }
static void expect_pools(int line, uint64_t blocks, uint64_t bytes) { expect("pools", line, "pool_blocks", blocks, "pool_bytes", bytes); }

PROFPLUG_STAGE("copying") static __attribute__((noinline)) void copying(void)
{
    for (int i = 0; i < 1000; i++)
        memcpy(to, from + i, some + (size_t)i);
    expect_copies(__LINE__ - 1, 1000, 1000 * 1000 + 999 * 1000 / 2);
    for (int i = 0; i < 300; i++)
        memmove(to + i, to, 5000);
    expect_copies(__LINE__ - 1, 300, 300 * 5000);
    memcpy(to, from, 40000); memcpy(to + 1, from, some);
    expect_copies(__LINE__ - 1, 2, 41000);
}

struct large { char bytes[300]; };
static struct large large[2];

/* Of constant sizes GCC makes moves later; they are calls up to then. */
PROFPLUG_STAGE("filling") static __attribute__((noinline)) void filling(void)
{
    for (int i = 0; i < 500; i++)
        memset(to, i, some + (size_t)i);
    expect_fills(__LINE__ - 1, 500, 500 * 1000 + 499 * 500 / 2);
    for (int i = 0; i < 70; i++) {
        memset(large[i & 1].bytes, i, sizeof large[0].bytes);
        __asm__ volatile("" ::: "memory");
    }
    expect_fills(__LINE__ - 3, 70, 70 * 300);
    for (int i = 0; i < 30; i++) {
        memcpy(&large[i & 1], from + i, sizeof large[0]);
        __asm__ volatile("" ::: "memory");
    }
    expect_copies(__LINE__ - 3, 30, 30 * 300);
    bzero(to, some);
    expect_fills(__LINE__ - 1, 1, 1000);
}

PROFPLUG_STAGE("pooling") static __attribute__((noinline)) void pooling(void)
{
    for (int i = 1; i <= 100; i++)
        keep = pool_get((size_t)i);
    expect_pools(__LINE__ - 1, 100, 5050);
    for (int i = 0; i < 20; i++)
        keep = pool_array((size_t)i, 8);
    expect_pools(__LINE__ - 1, 20, 190 * 8);
    keep = pool_node();
    expect_pools(__LINE__ - 1, 1, 0);                    /* the attribute malloc says nothing of the size */
    for (int i = 0; i < 3; i++)
        keep = pool_get(i < 2 ? sizeof room + 1 : 7);    /* twice it is too much */
    expect_pools(__LINE__ - 1, 1, 7);
    pool_array(3, 5);                                    /* what it returns is not looked at */
    expect_pools(__LINE__ - 1, 1, 15);
    last(9);
    expect_pools(LAST_LINE, 1, 27);
}

/* ---- elsewhere ---- */

enum { THREAD_LINE = __LINE__ + 5, HANDLER_LINE = __LINE__ + 12 };

static void *thread(void *unused)
{
    for (int i = 0; i < 50; i++)
        memcpy(to, from, some);
    return unused;
}

static void handler(int number)
{
    (void)number;
    memcpy(to, from, some * 2);
}

int main(void)
{
    pthread_t id[2];
    copying();
    pooling();
    filling();
    expect_exact("stages", "filling", "fills", 571);
    expect_exact("stages", "filling", "fill_bytes", 500000 + 124750 + 21000 + 1000);
    expect_exact("stages", "filling", "copies", 30);
    expect_exact("stages", "copying", "copies", 1302);
    expect_exact("stages", "copying", "copy_bytes", 1499500 + 1500000 + 41000);
    expect_exact("stages", "pooling", "pool_blocks", 124);
    expect_exact("stages", "pooling", "pool_bytes", 5050 + 1520 + 7 + 15 + 27);
    expect_exact("stages", "pooling", "alloc_blocks", 0);
    for (int i = 0; i < 2; i++)
        if (pthread_create(&id[i], NULL, thread, NULL))
            return 1;
    for (int i = 0; i < 2; i++)
        pthread_join(id[i], NULL);
    expect_copies(THREAD_LINE, 100, 100000);
    signal(SIGUSR1, handler);
    for (int i = 0; i < 10; i++)
        raise(SIGUSR1);
    expect_copies(HANDLER_LINE, 10, 20000);
    fflush(stdout);
    if (!fork()) {
        memcpy(to, from, some * 3);
        expect("child_copies", __LINE__ - 1, "copies", 1, "copy_bytes", 3000);
        return 0;
    }
    int status;
    return wait(&status) < 0 || status != 0;
}
