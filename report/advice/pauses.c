/* SPDX-License-Identifier: MIT */
/* pauses.c: entries of a stage, or iterations of a loop, that are slow at regular distances: something is saved, grown,
 * flushed or cleaned up every so often. How much of that can go is not known, so the saving is a bound. */
#include "advice/rounds.h"
#include "advice/slowness.h"

#include <math.h>

#define FEWEST_SLOW 4
#define TIMES_SLOWER 3.0
#define LEAST_PERIOD 3
#define LEAST_FITTING 0.7 /* of the slow entries that are kept */
/* On a busy machine others are as slow as those that stall. It is a period still if so few entries would fit one by
 * chance, however many periods were tried. */
#define LEAST_FITTING_SURE 0.4
#define MOST_CHANCE 1e-6
#define FEWEST_SECOND 3 /* that have the same period at another place of it, as where two things are done so often */
#define MOST_CHANCE_TWO 1e-7
#define SLACK_PART 50 /* of the period */
#define LEAST_UNCAUSED 0.02 /* of the stage, where nothing seen causes them: a machine's own clocks stall it, too */

struct rhythm {
    uint64_t period; /* 0: none */
    uint32_t fitting;
    double chance, mean_ns; /* mean_ns: of those that fit */
    bool is_sure;
};

static bool fits(uint64_t index, uint64_t anchor, uint64_t period)
{
    uint64_t rest = (index > anchor ? index - anchor : anchor - index) % period, slack = period / SLACK_PART;
    return rest <= slack || period - rest <= slack;
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* That so many of n entries, or more, fit one of so many places of a period by chance. */
static double chance_of(uint32_t fitting, uint32_t n, uint64_t period, unsigned places)
{
    double one = places * (2.0 / SLACK_PART + 1 / (double)period), sum = 0;
    for (uint32_t k = fitting; k <= n && one < 1; k++)
        sum += exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) + k * log(one) + (n - k) * log1p(-one));
    return one < 1 ? sum : 1;
}

/* The most of those that do not fit the anchor which fit one another. */
static uint32_t second_of(const struct model_slow *const *slow, uint32_t all, uint64_t anchor, uint64_t period)
{
    uint32_t most = 0;
    for (uint32_t i = 0; i < all; i++) {
        uint32_t fitting = 0;
        for (uint32_t k = 0; k < all && !fits(slow[i]->index, anchor, period); k++)
            fitting += fits(slow[k]->index, slow[i]->index, period) && !fits(slow[k]->index, anchor, period);
        most = fitting > most ? fitting : most;
    }
    return most >= FEWEST_SECOND ? most : 0;
}

/* Three fit because the period was made of them, and one more because a second place was. */
static struct rhythm rhythm_of(const struct model_slow *const *slow, uint32_t all, uint32_t anchor, uint64_t period)
{
    struct rhythm found = { .period = period, .chance = 1 };
    for (uint32_t i = 0; i < all; i++)
        if (fits(slow[i]->index, slow[anchor]->index, period)) {
            found.fitting++;
            found.mean_ns += (double)slow[i]->wall_ns;
        }
    found.mean_ns /= found.fitting;
    if (found.fitting < 3)
        return found;
    found.chance = chance_of(found.fitting - 3, all - 3, period, 1);
    found.is_sure = found.fitting >= (found.chance < MOST_CHANCE ? LEAST_FITTING_SURE : LEAST_FITTING) * all;
    uint32_t second = found.is_sure ? 0 : second_of(slow, all, slow[anchor]->index, period);
    double two = second ? chance_of(found.fitting + second - 4, all - 4, period, 2) : 1;
    if (two < MOST_CHANCE_TWO) {
        found.chance = two;
        found.is_sure = found.fitting >= LEAST_FITTING / 2 * all;
    }
    return found;
}

/* Would so many stalls fit into the time that all entries took? A period that divides the true one does not. */
static bool could_be(const struct model_times *t, const struct rhythm *rhythm)
{
    return (double)t->calls / (double)rhythm->period * rhythm->mean_ns <= (double)t->timed_calls * t->mean_ns;
}

/* The distance of the slow entries, if most of them lie at multiples of it. Others may be slow because something else
 * ran. Where only some of many stalls are kept, no two of these may be neighbours: then their distances have a common
 * divisor. */
static struct rhythm period_of(const struct model_times *t, double median, double *entries)
{
    const struct model_slow *slow[PP_SLOWEST];
    struct rhythm best = { .chance = 1 };
    uint32_t all = 0;
    for (uint32_t i = 0; i < t->slowest_count; i++)
        if ((double)t->slowest[i].wall_ns > TIMES_SLOWER * median && t->slowest[i].thread_id == t->slowest[0].thread_id)
            slow[all++] = &t->slowest[i];
    for (uint32_t i = 0; i < all; i++)
        for (uint32_t k = 0; k < all; k++)
            for (uint32_t j = 0; j < all; j++) {
                if (slow[k]->index <= slow[i]->index || slow[j]->index <= slow[i]->index)
                    continue;
                uint64_t period = common_divisor(slow[k]->index - slow[i]->index, slow[j]->index - slow[i]->index);
                struct rhythm one = { .chance = 1 };
                if (period >= LEAST_PERIOD)
                    one = rhythm_of(slow, all, i, period);
                if (one.chance < best.chance && could_be(t, &one))
                    best = one;
            }
    if (best.fitting < FEWEST_SLOW || !best.is_sure)
        best.period = 0;
    if (best.period) /* where the list is full, there may be more */
        *entries = all < PP_SLOWEST ? best.fitting : (double)t->calls / (double)best.period;
    return best;
}

bool stall_is_regular(const struct model_stage *stage)
{
    const struct model_times *t = stall_times(stage);
    double median = times_percentile(t, 0.5), entries;
    return median > 0 && period_of(t, median, &entries).period;
}

void advice_pauses(struct advice *a)
{
    struct model *model = a->model;
    /* pauses of several merged files have no period together */
    for (uint32_t i = 0; i < model->stage_count && !model->part_count; i++) {
        const struct model_stage *s = &model->stage[i];
        const struct model_times *t = stall_times(s);
        double median = times_percentile(t, 0.5), entries = 0;
        struct rhythm stalls = { 0 };
        if (median > 0)
            stalls = period_of(t, median, &entries);
        if (!stalls.period)
            continue;
        double slow_ns = stalls.mean_ns, excess_ns = entries * (slow_ns - median);
        struct stall_occasion occasion = stall_occasion(a, i, entries);
        if (!stall_is_cause(&occasion, slow_ns - median) &&
            (excess_ns < LEAST_UNCAUSED * (double)s->times.wall_ns || stall_is_taken(a, s, excess_ns)))
            continue;
        struct model_advice *to =
            advice_add(a, ADVICE_pauses, MODEL_NONE, 0, advice_wall(a, excess_ns), SAVING_BOUND);
        if (!to)
            continue;
        char slow[FIGURE_BYTES], usual[FIGURE_BYTES], count[FIGURE_BYTES];
        const struct model_function *in = occasion.function != MODEL_NONE ? &model->function[occasion.function] : NULL;
        to->file = in ? in->file : s->file;
        to->at = in ? in->line : s->line;
        to->function = occasion.function;
        advice_title(a, to, s->name, "stalls at regular distances");
        to->evidence = arena_print(&model->arena, "About one %s in %s takes %s instead of %s%s%s.",
                                   s->kind == PP_SITE_LOOP ? "iteration" : "entry",
                                   figure_count(count, (double)stalls.period), figure_time(slow, slow_ns),
                                   figure_time(usual, median), in ? "; then it calls " : "", in ? in->name : "");
        advice_figure(to, "period", (double)stalls.period);
        advice_figure(to, "slow_ns", slow_ns);
        advice_figure(to, "median_ns", median);
    }
    rounds_ask(a, ADVICE_pauses);
}
