/* SPDX-License-Identifier: MIT */
/* The intervals between samples against the exponential distribution: mean, variance, and how many are below each of 40
 * bounds. The seeds are fixed, so the result never changes. */
#include "sample/interval.h"

#include <math.h>
#include <stdio.h>

enum { DRAWS = 2000000, BOUNDS = 40 };

static int wrong;

static void check(double got, double want, double sigma, const char *what, double mean)
{
    if (fabs(got - want) <= 5 * sigma)
        return;
    printf("mean %.0f: %s: %f, expected %f within %f\n", mean, what, got, want, 5 * sigma);
    wrong = 1;
}

int main(void)
{
    static const uint64_t means[] = { 1000000, 50000, 10000000, 15000 };
    for (unsigned k = 0; k < sizeof means / sizeof *means; k++) {
        uint64_t state = 0x9e3779b97f4a7c15u + k;
        double mean = (double)means[k], least = means[k] < 2 * PP_INTERVAL_LEAST_NS ? mean / 2 : PP_INTERVAL_LEAST_NS, spread = mean - least;
        double sum = 0, squares = 0;
        static double below[BOUNDS];
        for (unsigned b = 0; b < BOUNDS; b++)
            below[b] = 0;
        for (unsigned i = 0; i < DRAWS; i++) {
            double v = (double)pp_interval_draw(&state, means[k]);
            if (v < least) {
                printf("%f is shorter than %f\n", v, least);
                return 1;
            }
            sum += v;
            squares += (v - mean) * (v - mean);
            for (unsigned b = 0; b < BOUNDS; b++)
                below[b] += v < least + spread * (double)(b + 1) * 0.15;
        }
        check(sum / DRAWS, mean, spread / sqrt(DRAWS), "mean", mean);
        check(squares / DRAWS / spread / spread, 1, sqrt(8.0 / DRAWS), "variance", mean);
        for (unsigned b = 0; b < BOUNDS; b++) {
            double p = 1 - exp(-(double)(b + 1) * 0.15);
            check(below[b] / DRAWS, p, sqrt(p * (1 - p) / DRAWS) + 1e-5, "part below a bound", mean);
        }
    }
    return wrong;
}
