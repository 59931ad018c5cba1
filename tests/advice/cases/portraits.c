/* SPDX-License-Identifier: MIT */
/* sizes: 0.3 1 3 */
/* rule: conversions */
/* portraits.c: the brightness of a picture goes through a curve. Vectors do it, four floats at a time, which become two
 * vectors of doubles and one of floats again. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define PIXELS (1 << 16)

static float in[PIXELS], out[PIXELS];

static void picture_map(float gain, float lift)
{
    for (int i = 0; i < PIXELS; i++) { /* @ */
#ifndef FIXED
        float v = in[i] * gain + lift * 0.5; /* @ */
        out[i] = v * 0.25 + v * v * 0.5 - 0.125 * v * v * v; /* @ */
#else
        float v = in[i] * gain + lift * 0.5f;
        out[i] = v * 0.25f + v * v * 0.5f - 0.125f * v * v * v;
#endif
    }
}

int main(int argc, char **argv)
{
    int rounds = (int)(1600 * (argc > 1 ? atof(argv[1]) : 1));
    uint32_t random = 1;
    float most = 0;
    for (int i = 0; i < PIXELS; i++) {
        random = random * 1664525 + 1013904223;
        in[i] = (float)(random >> 24) / 256;
    }
    for (int r = 0; r < rounds; r++)
        picture_map(1, (float)(r % 8) / 8);
    for (int i = 0; i < PIXELS; i++)
        most = out[i] > most ? out[i] : most;
    printf("%.2f\n", (double)most);
    return 0;
}
