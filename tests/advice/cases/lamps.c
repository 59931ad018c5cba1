/* SPDX-License-Identifier: MIT */
/* rule: conversions */
/* sizes: 0.3 1 3 */
/* least: 76 */
/* lamps.c: lamps grow brighter up to a limit; the constants are doubles, so that no vectors do it. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define LAMPS 2048
#ifdef FIXED
#define TIMES 0.75f
#define PLUS 12.5f
#define SHARE 0.125f
#else
#define TIMES 0.75
#define PLUS 12.5
#define SHARE 0.125
#endif

static float lamp[LAMPS];

static void lamps_turn(void)
{
    for (int i = 0; i < LAMPS; i++) {
        float light = lamp[i] * TIMES + PLUS; /* @ */
        if (light > 200 + PLUS)               /* @ */
            light = 200 + PLUS;               /* @ */
        lamp[i] = light - lamp[i] * SHARE;    /* @ */
    }
}

int main(int argc, char **argv)
{
    long rounds = (long)(120000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int i = 0; i < LAMPS; i++)
        lamp[i] = (float)(i * 2654435761u >> 24);
    for (long round = 0; round < rounds; round++) {
        lamps_turn();
        sum += lamp[round % LAMPS];
        lamp[round % LAMPS] = (float)(round & 255);
    }
    printf("%.4f\n", sum);
    return 0;
}
