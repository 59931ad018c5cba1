/* SPDX-License-Identifier: MIT */
/* rule: lockcalls */
/* sizes: 0.5 1 3 */
/* base: 2 */
/* flags: -fopenmp */
/* does: reduction */
/* says: critical section */
/* censuses.c: birds over a bay are counted by the square that they fly in, by two threads. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SQUARES 256

static uint64_t squares[SQUARES];

static unsigned square_of(uint32_t bird)
{
    uint32_t x = bird * 2654435761u;
    for (int i = 0; i < 8; i++)
        x = x * 1664525u + 1013904223u;
    return x >> 24;
}

static void birds_count(uint32_t birds)
{
#pragma omp parallel num_threads(2)
    {
#ifdef FIXED
        uint64_t mine[SQUARES] = { 0 };
#pragma omp for
        for (uint32_t i = 0; i < birds; i++)
            mine[square_of(i)]++;
#pragma omp critical
        for (int i = 0; i < SQUARES; i++)
            squares[i] += mine[i];
#else
#pragma omp for
        for (uint32_t i = 0; i < birds; i++) {
            unsigned at = square_of(i);
#pragma omp critical /* @ */
            squares[at]++; /* @ */
        }
#endif
    }
}

int main(int argc, char **argv)
{
    uint32_t birds = (uint32_t)(3e5 * (argc > 1 ? atof(argv[1]) : 1));
    uint64_t sum = 0;
    for (int day = 0; day < 6; day++)
        birds_count(birds);
    for (int i = 0; i < SQUARES; i++)
        sum = sum * 31 + squares[i];
    printf("%llx\n", (unsigned long long)sum);
    return 0;
}
