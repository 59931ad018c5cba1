/* SPDX-License-Identifier: MIT */
/* The interval of `profplug overhead` against the true value: TRIALS measurements, of rounds whose true ratio is known,
 * with times distributed in several ways: evenly, with rare delays, drifting from run to run. The true value must be
 * inside in 95 of 100, as far as so many trials tell, and in the middle on average. The interval must be narrower than
 * the sign test's of as many runs, with two plain runs for each profiled one. The seed is fixed. */
#include "host/spread.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 3000, MOST = 70 };
static const double truth = 0.1; /* logarithm of the ratio */
static uint64_t state = 0x9e3779b97f4a7c15u;

static double chance(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(1 - chance())) * cos(6.283185307179586 * chance()); }

enum noise { EVEN, DELAYED, WANDERING, NOISES };
static const char *const noise_names[] = { "even", "delayed", "wandering" };

/* Logarithm of a run's time. */
static double run(enum noise noise, double *drift)
{
    *drift = 0.8 * *drift + 0.1 * normal();
    return noise == EVEN      ? 0.1 * normal()
           : noise == DELAYED ? 0.03 * normal() + (chance() < 0.2 ? -0.2 * log(1 - chance()) : 0)
                              : *drift + 0.05 * normal();
}

static double ratio(double before, double profiled, double after)
{
    return profiled - log((exp(before) + exp(after)) / 2);
}

int main(void)
{
    static const size_t counts[] = { 9, 13, 25, MOST };
    static double mean[MOST * (MOST + 1) / 2];
    int wrong = 0;
    for (enum noise noise = EVEN; noise < NOISES; noise++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            size_t count = counts[c], inside = 0, apart = 2 * count / 3, trials = count == MOST ? TRIALS / 5 : TRIALS;
            double width = 0, width_apart = 0, middle = 0, squares = 0;
            for (size_t t = 0; t < trials; t++) {
                double value[MOST], drift = normal() / 6;
                for (size_t i = 0; i < count; i++) {
                    double first = run(noise, &drift), second = run(noise, &drift);
                    value[i] = truth + (i % 2 ? first - second : second - first);
                }
                struct spread s = spread_find_even(value, count, mean);
                inside += s.low <= truth && truth <= s.high;
                width += s.high - s.low;
                middle += s.median;
                squares += s.median * s.median;
                for (size_t i = 0; i < apart; i++) {
                    double one = run(noise, &drift), profiled = run(noise, &drift) + truth;
                    value[i] = ratio(one, profiled, run(noise, &drift));
                }
                s = spread_find(value, apart);
                width_apart += s.high - s.low;
            }
            double n = (double)trials, part = (double)inside / n,
                   least = (noise == WANDERING ? 0.925 : 0.95) - 2.6 * sqrt(0.05 * 0.95 / n);
            middle /= n;
            double sigma = sqrt((squares / n - middle * middle) / n);
            printf(
                "%-9s %2zu rounds: the truth inside %.1f %%, width %.3f, of the sign test %.3f, middle off by %.4f\n",
                noise_names[noise], count, 100 * part, width / n, width_apart / n, middle - truth);
            if (part < least || !(width < width_apart) || fabs(middle - truth) > 4 * sigma) {
                printf("  expected at least %.1f %%, a narrower interval, and the truth in the middle\n", 100 * least);
                wrong = 1;
            }
        }
    double worth;
    static const struct {
        size_t count, rank;
    } known[] = { { 6, 1 }, { 9, 6 }, { 13, 18 }, { 40, 265 }, { 60, 649 } }; /* by enumerating the signs */
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (spread_rank_even(known[i].count, &worth) != known[i].rank || worth < 95) {
            printf("rank of %zu: %zu, %.3f %%\n", known[i].count, spread_rank_even(known[i].count, &worth), worth);
            wrong = 1;
        }
    return wrong;
}
