/* SPDX-License-Identifier: MIT */
/* trend.c: whether the live heap grows with a stage's entries. See model.h.
 *
 * Each step from one group of entries to the next is a rise or a fall. If memory comes and goes, both are equally
 * likely, and R rises of N steps have the binomial probability. This assumes nothing about their size. It also holds if
 * one step depends on the last. Data with peaks is judged in larger groups, down to a few. What has stopped growing (a
 * full cache) fails in its second half. */
#include <math.h>

#include "model/model.h"

#define FEWEST_KEPT 16u   /* fewer entries: no verdict */
#define FEWEST_FLOORS 12u /* groups, when entries are grouped */
#define ENOUGH_PERCENT 99.9
#define NEARLY_ALL 0.9

struct floors {
    double x[PP_FLOORS], y[PP_FLOORS];
    uint32_t count;
};

/* Probability of at least `rises` rises in `steps` steps if both directions are equally likely. */
static double chance(uint32_t rises, uint32_t steps)
{
    double sum = 0, term = pow(0.5, steps); /* of k = N rises, then fewer */
    for (uint32_t k = steps; k + 1 > rises; k--) {
        sum += term;
        if (!k)
            break;
        term *= (double)k / (double)(steps - k + 1);
    }
    return fmin(sum, 1);
}

static void line_fit(struct model_growth *g, const struct floors *f)
{
    double n = f->count, x = 0, y = 0, xx = 0, xy = 0, rest = 0;
    for (uint32_t i = 0; i < f->count; i++) {
        x += f->x[i] / n;
        y += f->y[i] / n;
    }
    for (uint32_t i = 0; i < f->count; i++) {
        xx += (f->x[i] - x) * (f->x[i] - x);
        xy += (f->x[i] - x) * (f->y[i] - y);
    }
    g->slope_bytes = xx > 0 ? xy / xx : 0;
    for (uint32_t i = 0; i < f->count; i++) {
        double off = f->y[i] - y - g->slope_bytes * (f->x[i] - x);
        rest += off * off;
    }
    g->slope_error_bytes = xx > 0 && n > 2 ? sqrt(rest / (n - 2) / xx) : 0;
}

static void steps_count(struct model_growth *g, const struct floors *f)
{
    g->step_count = f->count - 1;
    g->rise_count = g->late_count = g->late_rise_count = 0;
    for (uint32_t i = 1; i < f->count; i++) {
        bool rise = f->y[i] > f->y[i - 1], late = i > f->count / 2;
        g->rise_count += rise;
        g->late_count += late;
        g->late_rise_count += rise && late;
    }
    g->first_bytes = f->y[0];
    g->last_bytes = f->y[f->count - 1];
    g->confidence_percent = 100 * (1 - chance(g->rise_count, g->step_count));
    line_fit(g, f);
}

static bool grows(const struct model_growth *g)
{
    return g->step_count + 1 >= FEWEST_FLOORS && g->rise_count >= NEARLY_ALL * g->step_count &&
           g->late_rise_count >= NEARLY_ALL * g->late_count && g->confidence_percent >= ENOUGH_PERCENT &&
           g->slope_bytes > 0;
}

bool stage_grows(const struct model_stage *stage) { return grows(&stage->growth); }

struct model_growth growth_from(const struct pp_growth *from, uint64_t entries)
{
    struct model_growth g = { .entries = entries };
    struct floors f = { .count = 0 };
    if (from->turn & 1 || from->shift >= 58)
        return g;
    for (unsigned i = 0; i < PP_FLOORS; i++)
        if (from->floor[i]) {
            f.x[f.count] = ldexp(i + 0.5, (int)from->shift);
            f.y[f.count++] = (double)(from->floor[i] - 1);
        }
    if (f.count < FEWEST_KEPT)
        return g;
    for (g.group = UINT64_C(1) << from->shift;; g.group *= 2) {
        steps_count(&g, &f);
        if (grows(&g) || f.count / 2 < FEWEST_FLOORS)
            return g;
        for (uint32_t i = 0; i < f.count / 2; i++) { /* an odd last group is dropped */
            f.x[i] = (f.x[2 * i] + f.x[2 * i + 1]) / 2;
            f.y[i] = fmin(f.y[2 * i], f.y[2 * i + 1]);
        }
        f.count /= 2;
    }
}
