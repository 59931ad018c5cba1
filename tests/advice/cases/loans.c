/* SPDX-License-Identifier: MIT */
/* sizes: 0.5 1 10 */
/* base: 3 */
/* rule: tables */
/* says: factor */
/* libraries: -lm */
/* loans.c: what loans are worth today: each month's part is discounted by a power of its own. */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct loan {
    double part, rate;
    int months, every;
};

static double discount(double rate, int month)
{
    return pow(1 + rate, -month / 12.0); /* @ */
}

static double worth(const struct loan *l)
{
    double sum = 0;
#ifndef FIXED
    for (int m = l->every; m <= l->months; m += l->every)
        sum += l->part * discount(l->rate, m);
#else
    double factor = discount(l->rate, l->every), left = factor;
    for (int m = l->every; m <= l->months; m += l->every, left *= factor)
        sum += l->part * left;
#endif
    return sum;
}

int main(int argc, char **argv)
{
    int loans = (int)(50000 * (argc > 1 ? atof(argv[1]) : 1));
    double sum = 0;
    uint32_t state = 11;
    for (int i = 0; i < loans; i++) {
        state = state * 1664525u + 1013904223u;
        struct loan l = { 10 + (state >> 24), (state >> 2) / 2e10, 24 + (state >> 20 & 255), 1 + (state >> 30) };
        sum += worth(&l);
    }
    printf("%.6g\n", sum);
    return 0;
}
