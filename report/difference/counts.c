/* SPDX-License-Identifier: MIT */
/* counts.c: which counts changed. Where each program's runs agree, a difference is certain, and statistics are not
 * asked. Counts that vary from run to run (threads, tables that go by addresses) are tested by their logarithms. Of
 * thousands of them, some are apart by chance in every comparison, so Benjamini and Hochberg (1995) decide. */
#include "difference/assess.h"

#include <math.h>
#include <stdlib.h>

#include "difference/student.h"

#define APART_RUNS 5 /* all of one above all of the other by chance: 2 of 252 */

static bool counter_known(const struct observed_site *s, size_t runs, enum difference_counter counter)
{
    for (size_t r = 0; r < runs; r++)
        if (!observed_at(s, r) || !observed_at(s, r)->counted[counter])
            return false;
    return runs > 0;
}

static struct difference_count count_range(const struct difference *d, const struct assess_pair *pair,
                                           enum difference_counter counter)
{
    struct difference_count c = { .known = true, .low = { UINT64_MAX, UINT64_MAX } };
    for (int arm = 0; arm < ARMS; arm++) {
        c.known &= counter_known(pair->side[arm], d->runs[arm], counter);
        for (size_t r = 0; c.known && r < d->runs[arm]; r++) {
            uint64_t value = observed_at(pair->side[arm], r)->count[counter];
            c.low[arm] = value < c.low[arm] ? value : c.low[arm];
            c.high[arm] = value > c.high[arm] ? value : c.high[arm];
        }
    }
    if (!c.known)
        return (struct difference_count){ .known = false };
    c.steady = c.low[ARM_OLD] == c.high[ARM_OLD] && c.low[ARM_NEW] == c.high[ARM_NEW];
    return c;
}

static bool is_apart(const struct difference_count *c)
{
    return c->known && (c->high[ARM_OLD] < c->low[ARM_NEW] || c->high[ARM_NEW] < c->low[ARM_OLD]);
}

/* Student's t of the logarithms: of a mean as far from the other, if nothing changed. */
static double count_probability(const struct difference *d, const struct assess_pair *pair,
                                enum difference_counter counter)
{
    double mean[ARMS] = { 0, 0 }, squares = 0, runs = 0, each = 0;
    for (int arm = 0; arm < ARMS; arm++) {
        double n = (double)d->runs[arm];
        for (size_t r = 0; r < d->runs[arm]; r++)
            mean[arm] += log((double)observed_at(pair->side[arm], r)->count[counter] + 0.5) / n;
        for (size_t r = 0; r < d->runs[arm]; r++) {
            double off = log((double)observed_at(pair->side[arm], r)->count[counter] + 0.5) - mean[arm];
            squares += off * off;
        }
        runs += n;
        each += 1 / n;
    }
    double error = sqrt(squares / (runs - 2) * each);
    return error > 0 ? student_tails(fabs(mean[ARM_NEW] - mean[ARM_OLD]) / error, runs - 2) : 0;
}

/* Functions in which some count varies from run to run. Their other counts may be steady by chance only. */
static bool *varying_find(const struct difference *d)
{
    bool *varies = memory_zeroed(d->site_count + 1, sizeof *varies);
    for (size_t i = d->site_count; i-- > 0;) { /* lines stand behind functions */
        const struct difference_site *s = &d->site[i];
        for (int counter = 0; counter < COUNTERS; counter++)
            varies[i] |= s->count[counter].known && !s->count[counter].steady;
        if (varies[i] && s->kind == DIFFERENCE_LINE && s->parent != DIFFERENCE_NONE)
            varies[s->parent] = true;
    }
    for (size_t i = 0; i < d->site_count; i++)
        if (d->site[i].kind == DIFFERENCE_LINE && d->site[i].parent != DIFFERENCE_NONE)
            varies[i] |= varies[d->site[i].parent];
    return varies;
}

size_t counts_assess(struct difference *d, const struct assess_pair *pair)
{
    size_t most = d->site_count * COUNTERS, tests = 0, untold = 0;
    for (size_t i = 0; i < d->site_count; i++)
        for (int counter = 0; counter < COUNTERS; counter++)
            d->site[i].count[counter] = count_range(d, &pair[i], (enum difference_counter)counter);
    bool *varies = varying_find(d), *found = memory_zeroed(most + 1, sizeof *found);
    double *p = memory_zeroed(most + 1, sizeof *p);
    struct difference_count **tested = memory_zeroed(most + 1, sizeof(struct difference_count *));
    bool single = d->runs[ARM_OLD] < 2 && d->runs[ARM_NEW] < 2; /* then nothing is known of how counts vary */
    bool enough = d->runs[ARM_OLD] >= APART_RUNS && d->runs[ARM_NEW] >= APART_RUNS;
    for (size_t i = 0; i < d->site_count; i++)
        for (int counter = 0; counter < COUNTERS; counter++) {
            struct difference_count *c = &d->site[i].count[counter];
            if (!c->known || (c->steady && (!varies[i] || single))) {
                c->changed = is_apart(c);
            } else if (enough) {
                tested[tests] = c;
                p[tests++] = is_apart(c) ? count_probability(d, &pair[i], (enum difference_counter)counter) : 1;
            } else {
                untold += is_apart(c);
            }
        }
    discoveries_mark(found, p, tests, d->limits.q);
    for (size_t i = 0; i < tests; i++)
        tested[i]->changed = found[i];
    free(tested);
    free(p);
    free(found);
    free(varies);
    return untold;
}
