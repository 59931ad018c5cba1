/* SPDX-License-Identifier: MIT */
/* rule: divisions */
/* libraries: -lm */
/* sizes: 0.3 1 3 */
/* base: 3 */
/* titled: rest */
/* does: floor */
/* least: 45 */
/* metronomes.c: where the pendulums of many metronomes are at each beat, which come round after as many beats each. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ROUND 4096.0

static float swing[4097];

__attribute__((noinline)) static double metronome_sum(double step, int beats)
{
    double sum = 0;
#ifdef FIXED
    double at = 0;
    for (int i = 0; i < beats; i++) {
        sum += (double)swing[(int)at];
        if ((at += step) >= ROUND)
            at -= ROUND;
    }
#else
    for (int i = 0; i < beats; i++)
        sum += (double)swing[(int)fmod(i * step, ROUND)]; /* @ */
#endif
    return sum;
}

int main(int argc, char **argv)
{
    int metronomes = (int)(100 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    for (int i = 0; i <= 4096; i++)
        swing[i] = (float)(i % 64);
    for (int m = 0; m < metronomes; m++)
        sum += metronome_sum(3.5 + m % 16 / 16.0, 50000);
    printf("%g\n", sum);
    return 0;
}
