/* SPDX-License-Identifier: MIT */
/* A smithy with two smiths: the day's iron is split among them by its order in the book, heavy pieces last. Prints what
 * was forged. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SMITHS 2u
#define PIECES 240u

struct smith {
    pthread_t thread;
    unsigned first, step, count;
    uint64_t forged;
};

static unsigned blows[PIECES];

static uint64_t piece_forge(unsigned piece)
{
    uint64_t iron = piece + 1;
    for (unsigned i = 0; i < blows[piece]; i++) iron = (iron ^ i) * 1099511628211ULL;
    return iron;
}

static void *smith_work(void *argument)
{
    struct smith *smith = argument;
    for (unsigned i = 0, piece = smith->first; i < smith->count; i++, piece += smith->step) /* @ */
        smith->forged ^= piece_forge(piece); /* @ */
    return NULL;
}

static uint64_t coals(unsigned shovels)
{
    uint64_t heat = 1;
    for (unsigned i = 0; i < shovels; i++) heat = heat * 6364136223846793005ULL + 1442695040888963407ULL;
    return heat;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    struct smith smiths[SMITHS] = { 0 };
    uint64_t heat = coals((unsigned)(2e7 * scale)), all = 0;
    for (unsigned i = 0; i < PIECES; i++) blows[i] = (unsigned)((1000.0 + i * i * 28.0) * scale);
    for (unsigned i = 0; i < SMITHS; i++) {
#ifdef FIXED
        smiths[i].first = i;
        smiths[i].step = SMITHS;
#else
        smiths[i].first = i * PIECES / SMITHS;
        smiths[i].step = 1;
#endif
        smiths[i].count = PIECES / SMITHS;
        pthread_create(&smiths[i].thread, NULL, smith_work, &smiths[i]); /* @ */
    }
    for (unsigned i = 0; i < SMITHS; i++) {
        pthread_join(smiths[i].thread, NULL); /* @ */
        all ^= smiths[i].forged;
    }
    printf("%llu %llu\n", (unsigned long long)heat, (unsigned long long)all);
    return 0;
}
