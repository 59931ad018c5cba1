/* SPDX-License-Identifier: MIT */
/* rule: searches */
/* sizes: 0.3 1 3 */
/* kind: bound */
/* does: bisection */
/* says: order */
/* postages.c: letters are counted by the step of a table of weights that each falls into. */
#include <stdio.h>
#include <stdlib.h>

#define STEPS 300

static double weight[STEPS + 1];
static unsigned letters[STEPS];

static int step_of(double grams)
{
#ifdef FIXED
    int low = 0, high = STEPS;
    while (low + 1 < high) {
        int middle = (low + high) / 2;
        if (grams >= weight[middle])
            low = middle;
        else
            high = middle;
    }
    return low;
#else
    int step = 0;
    while (step < STEPS - 1 && grams >= weight[step + 1]) /* @ */
        step++;
    return step;
#endif
}

int main(int argc, char **argv)
{
    int count = (int)(1500000 * (argc > 1 ? atof(argv[1]) : 1));
    unsigned state = 3, sum = 0;
    for (int i = 0; i <= STEPS; i++)
        weight[i] = i * (double)i / 90;
    for (int i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        letters[step_of((state >> 8) % 1000)]++;
    }
    for (int i = 0; i < STEPS; i++)
        sum = sum * 31 + letters[i];
    printf("%u\n", sum);
    return 0;
}
