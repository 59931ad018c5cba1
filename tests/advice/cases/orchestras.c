/* SPDX-License-Identifier: MIT */
/* rule: strides */
/* sizes: 0.5 1 3 */
/* titled: field */
/* does: array */
/* least: 60 */
/* orchestras.c: how loud all musicians are together, of whom much more is known, bar after bar. */
#include <stdio.h>
#include <stdlib.h>

#define MUSICIANS 150000

static struct musician {
    float loud;
    char name[60], about[192];
} *musician;
static float *loud;

__attribute__((noipa)) static unsigned bar_sum(void)
{
    unsigned sum = 0;
    for (int i = 0; i < MUSICIANS; i++)
#ifdef FIXED
        sum += (unsigned)loud[i];
#else
        sum += (unsigned)musician[i].loud; /* @ */
#endif
    return sum;
}

int main(int argc, char **argv)
{
    int bars = (int)(120 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned sum = 0;
    musician = calloc(MUSICIANS, sizeof *musician);
    loud = calloc(MUSICIANS, sizeof *loud);
    if (!musician || !loud)
        return 1;
    for (int i = 0; i < MUSICIANS; i++)
        musician[i].loud = loud[i] = (float)(i % 97);
    for (int bar = 0; bar < bars; bar++)
        sum = sum * 31 + bar_sum();
    printf("%u\n", sum);
    free(musician);
    free(loud);
    return 0;
}
