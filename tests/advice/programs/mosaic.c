/* SPDX-License-Identifier: MIT */
/* Lays mosaics of stones: workers lay parts of each, and the master inspects it. Prints a sum over all mosaics. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define STONES 60000u
#define WORKERS 2u

static uint32_t stone[STONES];

struct part {
    unsigned from, to, mosaic;
    pthread_t worker;
};

static void *part_lay(void *argument)
{
    struct part *part = argument;
    for (unsigned i = part->from; i < part->to; i++) {
        uint32_t h = i ^ part->mosaic << 16;
        for (int k = 0; k < 40; k++) h = h * 1664525u + 1013904223u;
        stone[i] = h >> 8;
    }
    return NULL;
}

static void part_begin(struct part *part)
{
    if (pthread_create(&part->worker, NULL, part_lay, part)) exit(1);
}

static void part_end(struct part *part)
{
    pthread_join(part->worker, NULL); /* @ */
}

static void mosaic_lay(unsigned mosaic)
{
    struct part part[WORKERS];
    for (unsigned i = 0; i < WORKERS; i++) {
        part[i] = (struct part){ STONES / WORKERS * i, STONES / WORKERS * (i + 1), mosaic, 0 };
        part_begin(&part[i]); /* @ */
#ifndef FIXED
        part_end(&part[i]); /* @ */
#endif
    }
#ifdef FIXED
    for (unsigned i = 0; i < WORKERS; i++) part_end(&part[i]);
#endif
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned mosaics = (unsigned)(400 * scale) + 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < mosaics; i++) {
        mosaic_lay(i);
        for (unsigned k = 0; k < STONES; k++) sum = (sum ^ stone[k]) * 1099511628211ULL;
    }
    printf("%llu\n", (unsigned long long)sum);
    return 0;
}
