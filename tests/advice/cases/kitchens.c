/* SPDX-License-Identifier: MIT */
/* rule: imbalance */
/* libraries: -pthread */
/* sizes: 0.5 1 3 */
/* kitchens.c: two cooks. One has three quarters of the orders as their own; with FIXED each takes the next order, but
 * one of them has to wait for the only stove, a CPU, since the other one goes first. No work is dealt out badly. */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define COOKS 2

static uint32_t orders, next, menu;

static uint32_t order_cook(uint32_t order)
{
    for (int i = 0; i < 200000; i++)
        order = order * 1664525u + (order >> 13);
    return order;
}

#ifdef FIXED
static void one_stove(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    sched_setaffinity(0, sizeof set, &set); /* the cooks inherit it */
}

static void *cook_work(void *of)
{
    struct sched_param none = { 0 };
    uint32_t i, sum = 0;
    if ((uintptr_t)of == 0)
        sched_setscheduler(0, SCHED_IDLE, &none);
    while ((i = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED)) < orders)
        sum ^= order_cook(i);
    __atomic_fetch_xor(&menu, sum, __ATOMIC_RELAXED);
    return NULL;
}
#else
static void *cook_work(void *of) /* @ */
{
    uint32_t sum = 0, first = of ? orders / 4 : 0, end = of ? orders : orders / 4;
    for (uint32_t i = first; i < end; i++) /* @ */
        sum ^= order_cook(i);              /* @ */
    __atomic_fetch_xor(&menu, sum, __ATOMIC_RELAXED);
    return NULL;
}
#endif

int main(int argc, char **argv)
{
    pthread_t cook[COOKS];
    orders = (uint32_t)(2500 * (argc > 1 ? atof(argv[1]) : 1));
#ifdef FIXED
    one_stove();
#endif
    for (uintptr_t i = 0; i < COOKS; i++)
        pthread_create(&cook[i], NULL, cook_work, (void *)i);
    for (int i = 0; i < COOKS; i++)
        pthread_join(cook[i], NULL);
    printf("%u orders, %08x\n", orders, menu);
    return 0;
}
