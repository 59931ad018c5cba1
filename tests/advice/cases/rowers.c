/* SPDX-License-Identifier: MIT */
/* rule: meetings */
/* libraries: -pthread */
/* sizes: 0.3 1 */
/* says: barrier */
/* rowers.c: two threads smooth the wake of a boat, and meet at a barrier after each few yards of it; in the twin they
 * meet when all of it is done once. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define YARDS 65536
#ifdef FIXED
#define PIECE YARDS
#else
#define PIECE 512
#endif

static float wake[2][YARDS + 2];
static pthread_barrier_t meeting;
static unsigned rounds;

static void *wake_smooth(void *first)
{
    unsigned half = first != NULL;
    for (unsigned r = 0; r < rounds; r++) {
        float *to = wake[1 - r % 2];
        const float *from = wake[r % 2];
        for (unsigned at = 0; at < YARDS; at += PIECE) {
            unsigned i = at + half * PIECE / 2 + 1, end = i + PIECE / 2;
            for (; i < end; i++)
                to[i] = 0.25f * from[i - 1] + 0.5f * from[i] + 0.25f * from[i + 1];
            pthread_barrier_wait(&meeting); /* @ */
        }
    }
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t other;
    double sum = 0;
    rounds = (unsigned)(600 * (argc > 1 ? atof(argv[1]) : 1));
    for (unsigned i = 0; i < YARDS; i++)
        wake[0][i] = (float)(i * 37 % 100);
    if (pthread_barrier_init(&meeting, NULL, 2) || pthread_create(&other, NULL, wake_smooth, NULL))
        return 1;
    wake_smooth(&meeting);
    pthread_join(other, NULL);
    for (unsigned i = 0; i < YARDS; i++)
        sum += (double)wake[0][i];
    printf("%u rounds, %d\n", rounds, sum > 0);
    return 0;
}
