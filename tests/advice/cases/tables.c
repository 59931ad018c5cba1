/* SPDX-License-Identifier: MIT */
/* sizes: 0.1 1 10 */
/* says: ranges */
/* libraries: -lm */
/* tables.c: pictures get their brightness corrected. A pixel has 256 values, and each goes through the curve anew. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PIXELS (1 << 18)

static uint8_t in[PIXELS], out[PIXELS];

static void picture_take(uint32_t number)
{
    uint32_t seed = number;
    for (int i = 0; i < PIXELS; i++) {
        seed = seed * 1664525 + 1013904223;
        in[i] = (uint8_t)(seed >> 24);
    }
}

__attribute__((noinline)) static void picture_correct(void)
{
#ifndef FIXED
    for (int i = 0; i < PIXELS; i++)
        out[i] = (uint8_t)(255 * pow(in[i] / 255.0, 1 / 2.2) + 0.5); /* @ */
#else
    static uint8_t curve[256];
    if (!curve[255])
        for (int v = 0; v < 256; v++)
            curve[v] = (uint8_t)(255 * pow(v / 255.0, 1 / 2.2) + 0.5);
    for (int i = 0; i < PIXELS; i++)
        out[i] = curve[in[i]];
#endif
}

int main(int argc, char **argv)
{
    uint32_t count = (uint32_t)(60 * (argc > 1 ? atof(argv[1]) : 1)), sum = 0;
    for (uint32_t n = 1; n <= count; n++) {
        picture_take(n);
        picture_correct();
        for (int i = 0; i < PIXELS; i += 7)
            sum = sum * 31 + out[i];
    }
    printf("%u pictures, %08x\n", count, sum);
    return 0;
}
