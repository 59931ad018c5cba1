/* SPDX-License-Identifier: MIT */
/* Corrects brightness and contrast of picture rows, which it makes itself, and counts their tones. Prints the tones. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define WIDTH 2048
#define TONES 8u

#ifdef FIXED
#define TIMES 0.75f
#define PLUS 12.5f
#define SHARE 0.125f
#else
#define TIMES 0.75
#define PLUS 12.5
#define SHARE 0.125
#endif

static float row[WIDTH], soft[WIDTH];
static uint64_t tones[TONES];

static void row_make(uint32_t seed)
{
    for (int i = 0; i < WIDTH; i++) {
        seed = seed * 1664525u + 1013904223u;
        row[i] = (float)(seed >> 24);
    }
}

static void row_correct(void)
{
    for (int i = 0; i < WIDTH; i++) {
        float light = row[i] * TIMES + PLUS; /* @ */
        if (light > 200 + PLUS) light = 200 + PLUS; /* @ */
        row[i] = light - row[i] * SHARE; /* @ */
    }
}

static void row_soften(void)
{
    for (int i = 1; i < WIDTH - 1; i++) soft[i] = (row[i - 1] + row[i] + row[i] + row[i + 1]) * SHARE; /* @ */
}

static void row_count(void)
{
    for (int i = 1; i < WIDTH - 1; i += 4) tones[(unsigned)soft[i] / 16 % TONES]++;
}

int main(int argc, char **argv)
{
    double scale = argc > 1 ? atof(argv[1]) : 1.0;
    unsigned rows = (unsigned)(120000 * scale) + 1;
    double sum = 0;
    for (unsigned i = 0; i < rows; i++) {
        if (i % 4 == 0) row_make(i + 1);
        row_correct();
        row_soften();
        row_count();
        sum += soft[i % (WIDTH - 2) + 1];
    }
    for (unsigned i = 0; i < TONES; i++) printf("%llu ", (unsigned long long)tones[i]);
    printf("%.4f\n", sum);
    return 0;
}
