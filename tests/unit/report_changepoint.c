/* SPDX-License-Identifier: MIT */
/* Change points of series whose truth is known: steps up and down and a bump are found where they are, with a size
 * whose interval holds the true one; series without a step are silent, also with spikes; spikes are told as such. The
 * interval of a shift holds the true one as often as it says; its ranks are those of published tables. The seed is
 * fixed. */
#include "host/changepoint.h"
#include "host/spread.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

enum { TRIALS = 400, LENGTH = 40, MOST = 8 };
static uint64_t state = 0x2545f4914f6cdd1du;
static int wrong;

static double chance(void)
{
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return (double)(state >> 11) / 9007199254740992.0;
}
static double normal(void) { return sqrt(-2 * log(1 - chance())) * cos(6.283185307179586 * chance()); }

static void expect(int ok, const char *what, const char *whose, double seen)
{
    if (!ok)
        printf("FAILED: %s: %s: %g\n", whose, what, seen);
    wrong += !ok;
}

struct truth {
    const char *name;
    double noise;  /* sigma, of the value */
    double spikes; /* how many of 100 runs take half as long again to thrice as long */
    size_t at[2];  /* where the level changes; 0: nowhere */
    double ratio[2];
};
static const struct truth truths[] = {
    { "silence", 0.02, 0, { 0 }, { 0 } },
    { "silence with spikes", 0.02, 5, { 0 }, { 0 } },
    { "silence, uneven noise", 0.10, 2, { 0 }, { 0 } },
    { "step of 5 %", 0.01, 0, { 25 }, { 1.05 } },
    { "step of 10 % with spikes", 0.02, 5, { 20 }, { 1.10 } },
    { "step down", 0.02, 0, { 30 }, { 0.8 } },
    { "the last five", 0.02, 0, { 35 }, { 1.25 } },
    { "bump", 0.02, 0, { 15, 25 }, { 1.2, 1 / 1.2 } },
};

static void series_try(const struct truth *truth)
{
    int steps = !!truth->at[0] + !!truth->at[1], right = 0, silent = 0, held = 0, told = 0, spiky = 0, spikes = 0,
        seen = 0;
    for (int t = 0; t < TRIALS; t++) {
        double value[LENGTH], level = 1e8;
        bool spike[LENGTH] = { 0 }, unlike[LENGTH];
        struct changepoint found[MOST];
        for (size_t i = 0, step = 0; i < LENGTH; i++) {
            if (step < 2 && truth->at[step] && i == truth->at[step])
                level *= truth->ratio[step++];
            spike[i] = chance() * 100 < truth->spikes;
            value[i] = level * (1 + truth->noise * normal()) * (spike[i] ? 1.5 + 1.5 * chance() : 1);
        }
        size_t count = changepoint_find(value, LENGTH, 0.01, found, MOST);
        silent += count == 0;
        bool all = (int)count == steps;
        for (int k = 0; all && k < steps; k++) {
            long off = (long)found[k].at - (long)truth->at[k];
            all = labs(off) <= 1;
            held += found[k].low <= truth->ratio[k] && truth->ratio[k] <= found[k].high;
            told++;
        }
        right += all;
        changepoint_outliers(value, LENGTH, found, count, unlike);
        for (size_t i = 0; i < LENGTH; i++) {
            spikes += spike[i];
            seen += spike[i] && unlike[i];
            spiky += !spike[i] && unlike[i];
        }
    }
    printf("%-26s right %5.1f %%  silent %5.1f %%  interval holds %5.1f %%  spikes seen %d of %d, others %d of %d\n",
           truth->name, 100.0 * right / TRIALS, 100.0 * silent / TRIALS, told ? 100.0 * held / told : 0.0, seen, spikes,
           spiky, TRIALS * LENGTH - spikes);
    if (!steps)
        expect(silent >= 0.98 * TRIALS, "a series without a step is silent, 98 % at least", truth->name,
               100.0 * silent / TRIALS);
    else
        expect(right >= 0.93 * TRIALS, "steps found within one run, 93 % at least", truth->name,
               100.0 * right / TRIALS);
    if (told)
        expect(held >= 0.9 * told, "the interval holds the true ratio, 90 % at least", truth->name,
               100.0 * held / told);
    if (truth->noise < 0.05)
        expect(seen >= 0.95 * spikes, "spikes are told", truth->name, seen);
    expect(spiky <= 0.002 * TRIALS * LENGTH, "other runs are not called spikes", truth->name, spiky);
}

/* Exact counts have no noise; a step of one of them is found, and a constant is silent. */
static void counts_try(void)
{
    double value[20];
    struct changepoint found[MOST];
    for (int i = 0; i < 20; i++)
        value[i] = 1000;
    expect(changepoint_find(value, 20, 0.01, found, MOST) == 0, "silent", "constant", 0);
    for (int i = 12; i < 20; i++)
        value[i] = 2000;
    size_t count = changepoint_find(value, 20, 0.01, found, MOST);
    expect(count == 1 && found[0].at == 12 && fabs(found[0].ratio - 2) < 1e-9, "found", "step of a count",
           (double)count);
    value[3] = 5000;
    count = changepoint_find(value, 20, 0.01, found, MOST);
    expect(count == 1 && found[0].at == 12, "found beside a spike", "step of a count", (double)count);
    expect(changepoint_find(value, 9, 0.01, found, MOST) == 0, "fewer than ten runs are silent", "short", 0);
}

/* Ranks of the interval: one more than the critical value of U in the table (two-sided, 5 %; Mann and Whitney, 1947;
 * Siegel, 1956, table K), so that 5 and 5 runs have the third, 10 and 10 the twenty-fourth. */
static void ranks_try(void)
{
    static const struct {
        size_t n, m, rank;
    } table[] = { { 5, 5, 3 }, { 5, 10, 9 }, { 10, 10, 24 }, { 8, 12, 23 }, { 20, 20, 128 }, { 4, 4, 1 }, { 3, 5, 1 } };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        double one[20] = { 0 }, two[20], room[400], confidence, *sorted = room;
        for (size_t k = 0; k < 20; k++)
            two[k] = (double)k, one[k] = -(double)k * 0.001 - (double)(k * k) * 1e-6;
        struct spread s = spread_find_shift(one, table[i].n, two, table[i].m, room, &confidence);
        size_t rank = 1;
        while (sorted[rank - 1] < s.low)
            rank++;
        expect(rank == table[i].rank && confidence >= 95, "rank of the interval", "table", (double)rank);
        int inside = 0, trials = 2000;
        for (int t = 0; t < trials; t++) {
            for (size_t k = 0; k < 20; k++)
                one[k] = normal(), two[k] = 0.5 + normal();
            s = spread_find_shift(one, table[i].n, two, table[i].m, room, &confidence);
            inside += s.low <= 0.5 && 0.5 <= s.high;
        }
        double hope = confidence / 100 * trials, error = sqrt(hope * (1 - confidence / 100));
        expect(fabs(inside - hope) < 4 * error + 1, "the interval holds the shift as often as it says", "shift",
               inside);
    }
}

int main(void)
{
    for (size_t i = 0; i < sizeof truths / sizeof *truths; i++)
        series_try(&truths[i]);
    counts_try();
    ranks_try();
    return wrong != 0;
}
