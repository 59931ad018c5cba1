/* SPDX-License-Identifier: MIT */
/* A small network of neurons: multiplies matrices of weights, which it makes itself, and clips the results. Prints how
 * many were clipped and a sum over the matrices. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define SIDE 512u

static int32_t left[SIDE][SIDE], right[SIDE][SIDE], product[SIDE][SIDE];

static void weights_make(uint32_t seed)
{
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++) {
            seed = seed * 1664525u + 1013904223u;
            left[y][x] = (int32_t)(seed >> 28) - 8;
            seed = seed * 1664525u + 1013904223u;
            right[y][x] = (int32_t)(seed >> 28) - 8;
        }
}

static void row_multiply(unsigned y)
{
    for (unsigned x = 0; x < SIDE; x++) product[y][x] = 0;
#ifdef FIXED
    for (unsigned k = 0; k < SIDE; k++)
        for (unsigned x = 0; x < SIDE; x++)
#else
    for (unsigned x = 0; x < SIDE; x++)
        for (unsigned k = 0; k < SIDE; k++) /* @ */
#endif
            product[y][x] += left[y][k] * right[k][x]; /* @ */
}

static unsigned product_clip(void)
{
    unsigned clipped = 0;
    for (unsigned y = 0; y < SIDE; y++)
        for (unsigned x = 0; x < SIDE; x++)
            if (product[y][x] > 1000) {
                product[y][x] = 1000;
                clipped++;
            }
    return clipped;
}

static uint64_t product_train(unsigned rounds)
{
    uint64_t h = 1;
    for (unsigned i = 0; i < rounds; i++)
        for (unsigned y = 0; y < SIDE; y++)
            for (unsigned x = 0; x < SIDE; x++) h = h * 31 + (uint64_t)(product[y][x] ^ (int32_t)i);
    return h;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned layers = (unsigned)(9 * scale) + 1, clipped = 0;
    uint64_t h = 0;
    for (unsigned i = 0; i < layers; i++) {
        weights_make(i);
        for (unsigned y = 0; y < SIDE; y++) row_multiply(y);
        clipped += product_clip();
        h ^= product_train(24);
    }
    printf("%u %llu\n", clipped, (unsigned long long)h);
    return 0;
}
