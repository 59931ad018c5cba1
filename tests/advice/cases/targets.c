/* SPDX-License-Identifier: MIT */
/* rule: tables */
/* sizes: 0.3 1 3 */
/* libraries: -lm */
/* titled: compared */
/* targets.c: arrows at a round target, and how many are within its rings. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    long arrows = (long)(6000000 * (argc > 1 ? atof(argv[1]) : 1)), inside = 0;
    for (long i = 0; i < arrows; i++) {
        double x = (double)(i * 7919 % 10007) / 10007, y = (double)(i * 104729 % 9973) / 9973;
#ifndef FIXED
        inside += hypot(x, y) <= 1.0; /* @ */
#else
        inside += x * x + y * y <= 1.0;
#endif
    }
    printf("%ld of %ld\n", inside, arrows);
    return 0;
}
