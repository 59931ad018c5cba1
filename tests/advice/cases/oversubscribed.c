/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* libraries: -pthread */
/* oversubscribed.c: heat spreads in a plate; each thread has some of its rows, and all meet after each step. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SIDE 240
#ifndef FIXED
#define THREADS 24
#else
#define THREADS 2
#endif

static uint32_t heat[2][SIDE + 2][SIDE + 2];
static uint32_t steps;
static pthread_barrier_t step_end;

static void row_spread(uint32_t from, uint32_t y)
{
    for (uint32_t x = 1; x <= SIDE; x++) {
        uint32_t around = heat[from][y - 1][x] + heat[from][y + 1][x] + heat[from][y][x - 1] + heat[from][y][x + 1];
        heat[from ^ 1][y][x] = (heat[from][y][x] * 4 + around) / 8;
    }
}

static void *rows_spread(void *of)
{
    uint32_t number = (uint32_t)(uintptr_t)of;
    for (uint32_t step = 0; step < steps; step++) {
        for (uint32_t y = SIDE * number / THREADS; y < SIDE * (number + 1) / THREADS; y++)
            row_spread(step & 1, y + 1);
        pthread_barrier_wait(&step_end); /* @ */
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    uint64_t sum = 0;
    steps = (uint32_t)(3000 * (argc > 1 ? atof(argv[1]) : 1));
    for (uint32_t y = 100; y < 140; y++)
        memset(&heat[0][y][100], 1, 40 * sizeof heat[0][y][100]);
    pthread_barrier_init(&step_end, NULL, THREADS);
    for (uintptr_t i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, rows_spread, (void *)i); /* @ */
    for (uint32_t i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    for (uint32_t y = 1; y <= SIDE; y++)
        for (uint32_t x = 1; x <= SIDE; x++)
            sum = sum * 31 + heat[steps & 1][y][x];
    printf("%u steps, %llu\n", steps, (unsigned long long)sum);
    return 0;
}
