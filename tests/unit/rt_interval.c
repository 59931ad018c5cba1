/* SPDX-License-Identifier: MIT */
/* The intervals between samples against the gamma distribution: mean, variance, and how many are below each of 40
 * bounds. Then samples of programs with a rhythm: as often as not a line runs for part of each turn. How many samples it
 * gets varies at most as independent ones would, however long a turn is, also if it is as long as the mean interval.
 * With one interval for all samples it would vary ten times as much. The seeds are fixed, so the result never changes. */
#include "sample/event.h"
#include "sample/interval.h"

#include <math.h>
#include <stdio.h>

enum { DRAWS = 1000000, BOUNDS = 40, RUNS = 4000, SAMPLES = 400 };

static int wrong;

static void check(double got, double want, double sigma, const char *what, double mean, unsigned samples)
{
    if (fabs(got - want) <= 5 * sigma)
        return;
    printf("mean %.0f, %u samples: %s: %f, expected %f within %f\n", mean, samples, what, got, want, 5 * sigma);
    wrong = 1;
}

/* The probability that a gamma number of whole shape n and mean 1 is below x. */
static double gamma_below(unsigned n, double x)
{
    double term = exp(-x * n), sum = 0;
    for (unsigned i = 0; i < n; i++, term *= x * n / i)
        sum += term;
    return 1 - sum;
}

static void distribution(uint64_t mean_ns, unsigned samples)
{
    uint64_t state = 0x9e3779b97f4a7c15u + mean_ns;
    double mean = (double)mean_ns, least = mean_ns < 2 * PP_INTERVAL_LEAST_NS ? mean / 2 : PP_INTERVAL_LEAST_NS, spread = mean - least;
    double sum = 0, squares = 0, below[BOUNDS] = { 0 };
    for (unsigned i = 0; i < DRAWS; i++) {
        double v = (double)pp_interval_draw(&state, mean_ns, samples);
        if (v < least)
            wrong = 1, printf("%f is shorter than %f\n", v, least);
        sum += v;
        squares += (v - mean) * (v - mean);
        for (unsigned b = 0; b < BOUNDS; b++)
            below[b] += v < least + spread * (double)(b + 1) * 0.15;
    }
    check(sum / DRAWS, mean, spread / sqrt(DRAWS * samples), "mean", mean, samples);
    check(squares / DRAWS / spread / spread * samples, 1, sqrt((2 + 6.0 / samples) / DRAWS), "variance", mean, samples);
    for (unsigned b = 0; b < BOUNDS; b++) {
        double p = gamma_below(samples, (double)(b + 1) * 0.15);
        check(below[b] / DRAWS, p, sqrt(p * (1 - p) / DRAWS) + 1e-5, "part below a bound", mean, samples);
    }
}

/* A thread that begins is sampled as one that runs: the first interval is the rest of one that a moment falls into. So
 * threads of any life have as many samples as intervals in the mean, from the first moment on. */
static void beginning(uint64_t mean_ns)
{
    uint64_t state = 0x9e3779b97f4a7c15u + mean_ns, rest;
    double mean = (double)mean_ns, least = PP_INTERVAL_LEAST_NS, spread = mean - least, below[BOUNDS] = { 0 }, p = 0;
    double found[4] = { 0 };
    for (unsigned i = 0; i < DRAWS; i++) {
        double v = (double)pp_interval_first(&state, mean_ns, &rest), at = v, interval = (double)rest;
        for (unsigned b = 0; b < BOUNDS; b++)
            below[b] += v < mean * (double)(b + 1) * 0.1;
        for (unsigned k = rest > 0; at < mean * 4; at += interval, k++) {
            for (unsigned life = 0; life < 4; life++)
                found[life] += at < mean * (double)(1u << life) / 2;
            if (k % PP_EVENT_ROUND == 0)
                interval = (double)pp_interval_draw(&state, mean_ns, PP_EVENT_ROUND);
        }
    }
    for (unsigned b = 0; b < BOUNDS; b++) {
        for (unsigned step = 0; step < 1000; step++) { /* part of intervals that are longer */
            double x = mean * 0.1 * (b + (step + 0.5) / 1000);
            p += 0.0001 * (x < least ? 1 : 1 - gamma_below(PP_EVENT_ROUND, (x - least) / spread));
        }
        check(below[b] / DRAWS, p, sqrt(p * (1 - p) / DRAWS) + 1e-4, "first part below a bound", mean, PP_EVENT_ROUND);
    }
    for (unsigned life = 0; life < 4; life++) { /* variances of such counts are at most those of independent samples */
        double intervals = (double)(1u << life) / 2;
        check(found[life] / DRAWS / intervals, 1, sqrt(1 / intervals / DRAWS), "samples of a life", mean,
              PP_EVENT_ROUND);
    }
}

/* Variance of the samples in the first 30 % of each turn, in parts of what independent samples would have. */
static double rhythm(double turn_ns, unsigned round, unsigned shape)
{
    static uint64_t state = 88172645463325252u;
    const double mean = 1e6, part = 0.3;
    double sum = 0, squares = 0;
    for (unsigned run = 0; run < RUNS; run++) {
        /* the run begins anywhere in a turn, and in a round */
        double at = turn_ns * (double)(pp_interval_draw(&state, 1u << 30, 1) & 0xffff) / 65536, end = at + mean * SAMPLES, hits = 0, interval = 0;
        at -= mean * 16;
        for (unsigned i = 0, begin = at + mean * 16; at < end; i++) {
            if (i % round == 0 && (shape || i == 0))
                interval = shape ? (double)pp_interval_draw(&state, (uint64_t)mean, shape) : mean;
            at += interval;
            double turns = at / turn_ns;
            hits += at >= begin && at < end && turns - floor(turns) < part;
        }
        sum += hits;
        squares += hits * hits;
    }
    return (squares / RUNS - sum / RUNS * (sum / RUNS)) / (SAMPLES * part);
}

int main(void)
{
    static const uint64_t means[] = { 1000000, 50000, 10000000, 15000 };
    for (unsigned k = 0; k < sizeof means / sizeof *means; k++) {
        distribution(means[k], 1);
        distribution(means[k], PP_EVENT_ROUND);
    }
    beginning(1000000);
    beginning(300000);
    static const double turns[] = { 0.004, 0.1, 0.5, 0.9, 1, 1.1, 1.7, 2, 3, 4, 8, 16, 40, 100 };
    double most = 1 + 5 * sqrt(2.0 / RUNS);
    for (unsigned k = 0; k < sizeof turns / sizeof *turns; k++) {
        double got = rhythm(turns[k] * 1e6, PP_EVENT_ROUND, PP_EVENT_ROUND);
        printf("a turn of %g intervals: variance %.2f\n", turns[k], got);
        if (got > most)
            wrong = 1, printf("expected at most %.2f\n", most);
    }
    if (rhythm(1e6, 1, 0) < 10)
        wrong = 1, puts("equal intervals keep step with a turn as long as they are: the test sees nothing");
    return wrong;
}
