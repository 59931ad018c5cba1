/* SPDX-License-Identifier: MIT */
/* The game of life on a torus: threads share the rows, and meet after each generation. Prints how many cells live, and
 * a sum over them. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 128u
#ifdef FIXED
#define THREADS 2u
#else
#define THREADS 32u
#endif

struct worker {
    unsigned first, end;
};

static uint8_t cells[2][SIDE][SIDE];
static pthread_barrier_t generation_end;
static unsigned generations;

static void cells_make(void)
{
    uint32_t seed = 1;
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            seed = seed * 1664525u + 1013904223u;
            cells[0][y][x] = seed >> 30 == 0;
        }
}

static void row_step(unsigned from, unsigned y)
{
    const uint8_t *own = cells[from][y];
    const uint8_t *above = cells[from][(y + SIDE - 1) % SIDE], *below = cells[from][(y + 1) % SIDE];
    for (unsigned x = 0; x < SIDE; x++) {
        unsigned left = (x + SIDE - 1) % SIDE, right = (x + 1) % SIDE;
        unsigned near = above[left] + above[x] + above[right] + own[left] + own[right];
        near += below[left] + below[x] + below[right];
        cells[from ^ 1][y][x] = near == 3 || (near == 2 && own[x]);
    }
}

static void *worker_thread(void *argument)
{
    struct worker *worker = argument;
    for (unsigned i = 0; i < generations; i++) {
        for (unsigned y = worker->first; y < worker->end; y++) row_step(i & 1, y);
        pthread_barrier_wait(&generation_end); /* @ */
    }
    return NULL;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    generations = (unsigned)(4000 * scale) + 1;
    cells_make();
    pthread_t threads[THREADS];
    struct worker workers[THREADS];
    if (pthread_barrier_init(&generation_end, NULL, THREADS)) return 1;
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].first = SIDE * i / THREADS;
        workers[i].end = SIDE * (i + 1) / THREADS;
        if (pthread_create(&threads[i], NULL, worker_thread, &workers[i])) return 1; /* @ */
    }
    for (unsigned i = 0; i < THREADS; i++) pthread_join(threads[i], NULL);
    uint64_t sum = 0;
    unsigned alive = 0;
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            alive += cells[generations & 1][y][x];
            sum = sum * 31 + cells[generations & 1][y][x];
        }
    printf("%u %llu\n", alive, (unsigned long long)sum);
    return 0;
}
