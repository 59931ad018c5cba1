/* SPDX-License-Identifier: MIT */
/* rule: strides */
/* sizes: 1 */
/* samplings.c: columns of a picture are added up; and, in both, every 32nd sample of a recording, which has no columns. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 2048
#define SAMPLES (16u << 20)

static void columns_add(const int32_t *picture, int64_t *sum)
{
#ifndef FIXED
    for (unsigned x = 0; x < SIDE; x++)
        for (unsigned y = 0; y < SIDE; y++)
            sum[x] += picture[y * SIDE + x] & 0xff; /* @ */
#else
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            sum[x] += picture[y * SIDE + x] & 0xff;
#endif
}

__attribute__((noinline)) static void peaks_mark(uint16_t *sample, unsigned round)
{
    for (size_t i = 0; i < SAMPLES; i += 32)
        sample[i] = (uint16_t)(i * 40503 >> 7 ^ round);
}

__attribute__((noinline)) static uint64_t loudness(const uint16_t *sample)
{
    uint64_t sum = 0;
    for (size_t i = 32; i < SAMPLES; i += 32)
        sum += (uint64_t)(sample[i] + sample[i - 32]) >> 1;
    return sum;
}

int main(int argc, char **argv)
{
    unsigned rounds = (unsigned)(20 * (argc > 1 ? atof(argv[1]) : 1)) + 1;
    int32_t *picture = malloc(sizeof *picture * SIDE * SIDE);
    int64_t *sum = calloc(SIDE, sizeof *sum);
    uint16_t *sample = calloc(SAMPLES, sizeof *sample);
    uint64_t all = 0;
    if (!picture || !sum || !sample)
        return 1;
    for (unsigned i = 0; i < SIDE * SIDE; i++)
        picture[i] = (int32_t)(i * 2654435761u >> 16);
    for (unsigned r = 0; r < rounds; r++) {
        columns_add(picture, sum);
        peaks_mark(sample, r);
        all += loudness(sample);
    }
    for (unsigned x = 0; x < SIDE; x++)
        all = all * 31 + (uint64_t)sum[x];
    printf("%llu\n", (unsigned long long)all);
    free(picture);
    free(sum);
    free(sample);
    return 0;
}
