/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* libraries: -pthread -lm */
/* imbalance.c: the distances between all pairs of towns; each of two threads takes half of the towns. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2

struct town {
    double x, y;
};

struct part {
    const struct town *town;
    uint32_t first, end, step, count;
    uint64_t near;
};

static void *part_measure(void *of)
{
    struct part *p = of;
    uint64_t near = 0;
    for (uint32_t i = p->first; i < p->end; i += p->step) /* @ */
        for (uint32_t k = 0; k < i; k++) { /* @ */
            double x = p->town[i].x - p->town[k].x, y = p->town[i].y - p->town[k].y; /* @ */
            near += x * x + y * y < 1600; /* @ */
        }
    p->near = near;
    return NULL;
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(40000 * sqrt(argc > 1 ? atof(argv[1]) : 1)), random = 3;
    struct town *town = malloc(count * sizeof *town);
    struct part part[THREADS];
    pthread_t thread[THREADS];
    uint64_t near = 0;
    for (uint32_t i = 0; town && i < count; i++) {
        random = random * 1664525 + 1013904223;
        town[i].x = random >> 22;
        random = random * 1664525 + 1013904223;
        town[i].y = random >> 22;
    }
    for (uint32_t i = 0; i < THREADS; i++) {
#ifndef FIXED
        part[i] = (struct part){ town, count / THREADS * i, i + 1 < THREADS ? count / THREADS * (i + 1) : count, 1, count, 0 };
#else
        part[i] = (struct part){ town, i, count, THREADS, count, 0 };
#endif
        pthread_create(&thread[i], NULL, part_measure, &part[i]); /* @ */
    }
    for (uint32_t i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL); /* @ */
        near += part[i].near;
    }
    printf("%u towns, %llu pairs are near\n", count, (unsigned long long)near);
    free(town);
    return 0;
}
