/* SPDX-License-Identifier: MIT */
/* Comparisons with known truth: simulated pairs of programs, with Zipf's shares, samples that cluster, noise of
 * runs with spikes, noise of lines, and a machine that is 4 % slower for the new one. Or a busy machine, beside whose
 * other work some lines slow down and others hardly do, as was measured of Lua, and programs that run in turn. Without a change hardly any
 * comparison may find one. A planted change of 10 % must be found, with its size. Mann-Whitney's test at 0.05 for each
 * line, benchstat's rule, gets the same data. Distributions are held against tables. The seed is fixed. */
#include "difference/inference.h"
#include "difference/student.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { LINES = 200, RUNS_MOST = 20, PLANTED = 1, EVERY = 8 };
static uint64_t state = 0x9e3779b97f4a7c15u;
static int wrong;

#define CHECK(condition, ...)                                        \
    do {                                                             \
        if (!(condition)) {                                          \
            printf("%s:%d: %s: ", __FILE__, __LINE__, #condition);   \
            printf(__VA_ARGS__);                                     \
            printf("\n");                                            \
            wrong++;                                                 \
        }                                                            \
    } while (0)

static double chance(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(1 - chance())) * cos(6.283185307179586 * chance()); }
static double poisson(double mean)
{
    if (mean > 60)
        return fmax(0, floor(mean + sqrt(mean) * normal() + 0.5));
    double product = chance(), limit = exp(-mean);
    int n = 0;
    for (; product > limit; n++)
        product *= chance();
    return n;
}

struct world {
    size_t runs; /* of each */
    double samples, drift, planted, cluster;
    bool controls;
    enum noise { EQUAL, MEMORY, UNLIKE, SPIKES } noise;
    double busy; /* the sigma of the machine's factor from run to run, which lines follow by 0 to 2; 0: not busy */
    double beside; /* every EVERY-th line costs so much more in the new program, though its code is the same */
};
static bool changed_beside(const struct world *w, size_t line) { return w->beside > 0 && line % EVERY == EVERY / 2; }

/* What lines vary by from run to run, beside samples and the machine: all alike, or as far as they follow the machine,
 * as those that wait for memory do, or half of them much whatever they follow, or with some runs far off for one. */
static double noise_of(const struct world *w, size_t line, double follows)
{
    switch (w->noise) {
    case MEMORY: return (0.012 + 0.08 * follows) * normal();
    case UNLIKE: return (line % 2 ? 0.012 : 0.12) * normal();
    case SPIKES: return 0.012 * normal() + (line == 4 && chance() < 0.2 ? 0.5 * chance() : 0);
    case EQUAL: break;
    }
    return 0.012 * normal();
}

static struct measured measured[LINES * 2 * RUNS_MOST];
static bool is_new[2 * RUNS_MOST], control[LINES];
static struct contrast contrast[LINES];
static double factor[2 * RUNS_MOST];

static struct inference simulate(const struct world *w)
{
    double sum = 0;
    size_t runs = 2 * w->runs;
    for (size_t s = 0; s < LINES; s++)
        sum += 1 / ((double)s + 1.5);
    for (size_t s = 0; s < LINES; s++)
        control[s] = w->controls && s != PLANTED;
    for (size_t r = 0; r < runs; r++) {
        is_new[r] = r % 2;
        double machine = (w->busy > 0 ? w->busy : 0.03) * normal() + (chance() < 0.1 ? 0.08 : 0) +
                         (is_new[r] ? log(1 + w->drift) : 0);
        for (size_t s = 0; s < LINES; s++) {
            double share = 1 / ((double)s + 1.5) / sum;
            double follows = w->busy <= 0 ? 1 : s == PLANTED ? 0.2 : (double)(s * 7 % 11) / 5;
            double line = noise_of(w, s, follows) + (is_new[r] && s == PLANTED ? log(1 + w->planted) : 0) +
                          (is_new[r] && changed_beside(w, s) ? log(1 + w->beside) : 0);
            double count = poisson(share * w->samples * exp(follows * machine + line) / w->cluster) * w->cluster;
            measured[s * runs + r] = (struct measured){ 1e6 * count, 1e12 * count * w->cluster, 1000 * share,
                                                        count };
        }
    }
    struct inference in = { .runs = runs, .sites = LINES, .is_new = is_new, .measured = measured, .control = control,
                            .contrast = contrast, .factor = factor, .in_turn = w->busy > 0 };
    inference_make(&in);
    return in;
}

/* Two-sided, by the normal approximation with the correction for ties and continuity. */
static double mann_whitney(const double *value, size_t each)
{
    double u = 0, n = (double)each, ties = 0;
    for (size_t i = 0; i < 2 * each; i++) {
        double same = 0;
        for (size_t k = 0; k < 2 * each; k++) {
            same += value[i] == value[k];
            if (i % 2 == 0 && k % 2 == 1)
                u += value[i] < value[k] ? 1 : value[i] == value[k] ? 0.5 : 0;
        }
        ties += same * same - 1;
    }
    double variance = n * n / 12 * (2 * n + 1 - ties / (2 * n * (2 * n - 1)));
    return variance > 0 ? erfc(fmax(0, fabs(u - n * n / 2) - 0.5) / sqrt(2 * variance)) : 1;
}

struct result {
    double any, found, ranked_any, ranked_found, change, inside;
};

static struct result trials_run(const struct world *w, size_t trials, double q)
{
    struct result sum = { 0 };
    for (size_t t = 0; t < trials; t++) {
        double p[LINES];
        bool found[LINES], any = false, ranked = false, ranked_planted = false;
        size_t tested[LINES], n = 0;
        simulate(w);
        for (size_t s = 0; s < LINES; s++) {
            double value[2 * RUNS_MOST];
            for (size_t r = 0; r < 2 * w->runs; r++)
                value[r] = measured[s * 2 * w->runs + r].ns;
            if (!contrast[s].tested)
                continue;
            bool flagged = mann_whitney(value, w->runs) < 0.05;
            ranked |= flagged && s != PLANTED && !changed_beside(w, s);
            ranked_planted |= flagged && s == PLANTED;
            p[n] = contrast[s].probability;
            tested[n++] = s;
        }
        discoveries_mark(found, p, n, q);
        for (size_t i = 0; i < n; i++) {
            any |= found[i] && (tested[i] != PLANTED || w->planted == 0) && !changed_beside(w, tested[i]);
            sum.found += found[i] && tested[i] == PLANTED && contrast[PLANTED].change > 0;
        }
        const struct contrast *c = &contrast[PLANTED];
        double reach = student_t(0.05, c->freedom) * c->error;
        sum.inside += fabs(c->change - log(1 + w->planted)) <= reach;
        sum.change += c->change;
        sum.any += any;
        sum.ranked_any += ranked;
        sum.ranked_found += ranked_planted;
    }
    double n = (double)trials;
    return (struct result){ sum.any / n,          sum.found / n,  sum.ranked_any / n,
                            sum.ranked_found / n, sum.change / n, sum.inside / n };
}

/* No more than `rate`, as far as so many trials tell: four sigma. */
static bool at_most(double seen, double rate, size_t trials)
{
    return seen <= rate + 4 * sqrt(rate * (1 - rate) / (double)trials);
}

static void tables_check(void)
{
    /* Student's t: two-sided 5 % points, and 0.1 %; from printed tables */
    static const double point[][3] = { { 1, .05, 12.706 }, { 5, .05, 2.5706 }, { 30, .05, 2.0423 }, { 8, .001, 5.0413 },
                                       { INFINITY, .01, 2.5758 } };
    for (size_t i = 0; i < sizeof point / sizeof *point; i++) {
        CHECK(fabs(student_tails(point[i][2], point[i][0]) / point[i][1] - 1) < 1e-3, "%g", point[i][0]);
        CHECK(fabs(student_t(point[i][1], point[i][0]) / point[i][2] - 1) < 1e-3, "%g", point[i][0]);
    }
    CHECK(fabs(digamma_of(1) + 0.5772156649) < 1e-7, "%.10f", digamma_of(1));
    CHECK(fabs(trigamma_of(1) - 1.6449340668) < 1e-6, "%.10f", trigamma_of(1));
    CHECK(fabs(trigamma_inverse(trigamma_of(3.7)) - 3.7) < 1e-6, "%g", trigamma_inverse(trigamma_of(3.7)));
    CHECK(fabs(fisher_tail(2.9782, 10, 10) / 0.05 - 1) < 1e-3, "%g", fisher_tail(2.9782, 10, 10));
    CHECK(fabs(chi_median(4) * 4 - 3.3567) < 0.02, "%g", chi_median(4) * 4);
    /* the example of Benjamini and Hochberg (1995), section 3: 15 probabilities, 4 discoveries at 0.05 */
    static const double p[] = { 0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344,
                                0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000 };
    bool found[15];
    CHECK(discoveries_mark(found, p, 15, 0.05) == 4 && found[3] && !found[4], "Benjamini and Hochberg");
}

/* A time that a clock measured in one run of each program, and in no other, tells nothing. */
static void once_check(void)
{
    simulate(&(struct world){ .runs = 5, .samples = 20000, .cluster = 1, .controls = true });
    for (size_t r = 0; r < 10; r++)
        measured[20 * 10 + r] = r > 1 ? (struct measured){ 0 } : (struct measured){ r ? 2e6 : 16e6, 1e9, 1, 1 };
    struct inference in = { .runs = 10, .sites = LINES, .is_new = is_new, .measured = measured, .control = control,
                            .contrast = contrast, .factor = factor };
    inference_make(&in);
    CHECK(!contrast[20].tested && contrast[20].probability == 1, "p %g", contrast[20].probability);
}

/* With an argument: so many trials of each world, instead of what a quick test can afford. */
int main(int argc, char **argv)
{
    const size_t trials = argc > 1 ? strtoul(argv[1], NULL, 10) : 30;
    static const struct world worlds[] = {
        { .runs = 5, .samples = 20000, .cluster = 1, .controls = true },
        { .runs = 5, .samples = 20000, .cluster = 1, .controls = true, .drift = 0.04 },
        { .runs = 10, .samples = 20000, .cluster = 1, .controls = true, .drift = 0.04 },
        { .runs = 5, .samples = 5000, .cluster = 3, .controls = true, .drift = 0.04 },
        { .runs = 3, .samples = 5000, .cluster = 1, .controls = true },
        { .runs = 1, .samples = 20000, .cluster = 1, .controls = true, .drift = 0.04 },
        { .runs = 5, .samples = 20000, .cluster = 1, .controls = true, .busy = 0.1 },
        { .runs = 10, .samples = 20000, .cluster = 1, .controls = true, .busy = 0.1 },
        { .runs = 2, .samples = 20000, .cluster = 1, .controls = true, .noise = MEMORY, .busy = 0.05 },
        { .runs = 5, .samples = 20000, .cluster = 1, .controls = true, .noise = MEMORY, .busy = 0.05 },
        { .runs = 10, .samples = 20000, .cluster = 1, .controls = true, .noise = MEMORY, .busy = 0.05 },
        { .runs = 5, .samples = 20000, .cluster = 1, .controls = true, .noise = UNLIKE, .busy = 0.05 },
        { .runs = 10, .samples = 20000, .cluster = 1, .controls = true, .noise = UNLIKE, .busy = 0.05 },
        { .runs = 3, .samples = 20000, .cluster = 1, .controls = true, .noise = SPIKES },
        { .runs = 5, .samples = 20000, .cluster = 1, .controls = true, .noise = SPIKES },
        { .runs = 5, .samples = 20000, .cluster = 1 }, /* no controls, no drift */
        { .runs = 10, .samples = 20000, .cluster = 1, .controls = true, .busy = 0.1, .beside = 0.3 },
    };
    tables_check();
    once_check();
    for (size_t i = 0; i < sizeof worlds / sizeof *worlds; i++) {
        struct world w = worlds[i];
        struct result none = trials_run(&w, trials, 0.01);
        w.planted = 0.10;
        struct result planted = trials_run(&w, trials, 0.01);
        static const char *const noises[] = { "", ", memory", ", unlike", ", spikes" };
        printf("%2zu runs of %5.0f samples in %g, drift %.0f %%%s%s%s%s: any of unchanged %.1f %% (ranks %.0f %%), 10 %% found "
               "%.1f %% (ranks %.0f %%), as %+.1f %%, inside its interval %.0f %%\n",
               w.runs, w.samples, w.cluster, 100 * w.drift, w.controls ? "" : ", no controls", w.busy > 0 ? ", busy" : "", noises[w.noise],
               w.beside > 0 ? ", others changed" : "",               100 * none.any,
               100 * none.ranked_any, 100 * planted.found, 100 * planted.ranked_found, 100 * expm1(planted.change),
               100 * planted.inside);
        /* without controls, the machine's part is known by how runs differ, so that few runs tell little */
        double others = w.beside > 0 ? 0.01 * LINES / EVERY : 0; /* of all that is told, a hundredth may be false */
        CHECK(at_most(none.any, 0.02 + others, trials), "found %.3f of unchanged programs", none.any);
        CHECK(at_most(planted.any, 0.03 + others, trials), "found %.3f beside the planted one", planted.any);
        CHECK(at_most(1 - none.inside, 0.1, trials), "inside %.3f", none.inside);
        CHECK(at_most(1 - planted.inside, 0.1, trials), "inside %.3f", planted.inside);
        /* what varies with the machine's memory must not be put on code that computes: by one variance of all, 0 % */
        /* lines that did change must not be put on all others as what layout does */
        double found = w.noise == EQUAL ? 0.95 : w.noise == MEMORY ? 0.6 : 0.8;
        if (w.runs == 10)
            CHECK(at_most(1 - planted.found, 1 - found, trials), "found %.3f", planted.found);
    }
    return wrong != 0;
}
