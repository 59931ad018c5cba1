/* SPDX-License-Identifier: MIT */
/* Distances between all pairs of places of a region, by two threads, and before that the places themselves. Prints how
 * many pairs are near and the sum of their distances. */
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define THREADS 2u

struct place {
    double x, y;
};

struct worker {
    unsigned number;
    uint64_t near, tenths;
};

static struct place *places;
static unsigned count;

static double place_noise(unsigned i)
{
    double v = 0;
    for (unsigned k = 1; k <= 400; k++) v += (double)((i * 2654435761u + k * 40503u) >> 12 & 0xff) / (k + 1.0);
    return v;
}

static void places_make(void)
{
    for (unsigned i = 0; i < count; i++) {
        uint32_t seed = i * 2246822519u + 3266489917u;
        places[i].x = (seed >> 16) / 655.36 + place_noise(i) / 1e3;
        places[i].y = (seed & 0xffff) / 655.36 + place_noise(i + 1) / 1e3;
    }
}

static void row_measure(struct worker *worker, unsigned i)
{
    uint64_t near = 0, tenths = 0;
    for (unsigned k = 0; k < i; k++) {
        double dx = places[i].x - places[k].x, dy = places[i].y - places[k].y;
        double distance = sqrt(dx * dx + dy * dy);
        if (distance < 20) {
            near++;
            tenths += (uint64_t)(distance * 10);
        }
    }
    worker->near += near;
    worker->tenths += tenths;
}

static void *worker_thread(void *argument)
{
    struct worker *worker = argument;
#ifdef FIXED
    for (unsigned i = worker->number; i < count; i += THREADS) row_measure(worker, i);
#else
    unsigned share = count / THREADS, first = share * worker->number;
    unsigned end = worker->number + 1 == THREADS ? count : first + share;
    for (unsigned i = first; i < end; i++) row_measure(worker, i); /* @ */
#endif
    return NULL;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    count = (unsigned)(22000 * sqrt(scale)) + 2;
    places = calloc(count, sizeof *places);
    if (!places) return 1;
    places_make();
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        workers[i].number = i;
        if (pthread_create(&threads[i], NULL, worker_thread, &workers[i])) return 1;
    }
    uint64_t near = 0, tenths = 0;
    for (unsigned i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        near += workers[i].near;
        tenths += workers[i].tenths;
    }
    printf("%llu %llu\n", (unsigned long long)near, (unsigned long long)tenths);
    free(places);
    return 0;
}
