/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* base: 2 */
/* rule: imbalance */
/* libraries: -pthread */
/* fractals.c: pictures of a film, the upper and the lower half of each drawn by a thread. All that takes time is in the
 * lower half, so that one thread of two does next to all of each picture. In the twin both take rows in turn. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define HALVES 2
#define ACROSS 320
#define ROWS 200
#define DEPTH 600

static uint16_t picture[ROWS][ACROSS];

static void row_draw(unsigned row)
{
    for (unsigned at = 0; at < ACROSS; at++) {
        double across = -2.2 + 3.0 * at / ACROSS, down = -3.3 + 3.6 * row / ROWS, x = 0, y = 0;
        uint16_t steps = 0;
        for (; steps < DEPTH && x * x + y * y < 4; steps++) {
            double next = x * x - y * y + across;
            y = 2 * x * y + down;
            x = next;
        }
        picture[row][at] = steps;
    }
}

static void *half_draw(void *of) /* @ */
{
    unsigned half = (unsigned)(uintptr_t)of;
#ifdef FIXED
    for (unsigned row = half; row < ROWS; row += HALVES) /* @ */
#else
    for (unsigned row = ROWS / HALVES * half; row < ROWS / HALVES * (half + 1); row++) /* @ */
#endif
        row_draw(row); /* @ */
    return NULL; /* @ */
}

int main(int argc, char **argv)
{
    unsigned pictures = (unsigned)(12 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    for (unsigned i = 0; i < pictures; i++) {
        pthread_t thread[HALVES];
        for (uintptr_t half = 0; half < HALVES; half++)
            pthread_create(&thread[half], NULL, half_draw, (void *)half); /* @ */
        for (unsigned half = 0; half < HALVES; half++)
            pthread_join(thread[half], NULL);
        for (unsigned row = 0; row < ROWS; row++)
            for (unsigned at = 0; at < ACROSS; at++)
                sum = sum * 31 + picture[row][at];
    }
    printf("%u pictures, %llu\n", pictures, (unsigned long long)sum);
    return 0;
}
