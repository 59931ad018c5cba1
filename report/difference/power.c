/* SPDX-License-Identifier: MIT */
/* power.c: how small a change of a site the runs show, and how many runs would show a smaller one. By the rule that
 * discover.c judges by, as if nothing else had changed. It must not know what was found. */
#include "difference/assessing.h"

#include <math.h>

#include "difference/student.h"

#define FOUND_MOSTLY 0.8416 /* one-sided quantile: found in 4 of 5 */
#define LOG_MOST 20         /* with two or three runs a ratio may lie anywhere: it stays a number */
#define RUNS_MOST 1e9

struct difference_power power_of(const struct assessing *a, size_t site, enum difference_clock clock)
{
    const struct difference_site *s = &a->d->site[site];
    const struct difference_time *t = &s->time[clock];
    double clocks = 0;
    for (int i = 0; i < CLOCKS; i++)
        clocks += s->time[i].tested;
    return (struct difference_power){ .runs = (double)a->d->run_count / ARMS,
                                      .error = t->error,
                                      .fixed = t->fixed,
                                      .freedom = t->freedom,
                                      .own_freedom = t->own_freedom,
                                      .rate = a->rate[site] * a->part[clock][site] / fmax(clocks, 1),
                                      .sureness = FOUND_MOSTLY };
}

/* By how many errors a change must differ from none: what is told by Student's t, and a margin for how sure one wants
 * to be. That margin is wider where the error itself is uncertain (Johnson and Welch, Biometrika 31, 1940). */
static double errors_needed(const struct difference_power *p, double freedom)
{
    double limit = student_t(p->rate, freedom);
    return limit + p->sureness * sqrt(1 + limit * limit / 2 / freedom);
}

double power_least(const struct difference_power *p)
{
    return exp(fmin(errors_needed(p, p->freedom) * p->error, LOG_MOST));
}

/* With that many runs the error is better known; INFINITY: exactly. How many would then make it small enough. */
static double runs_once(const struct difference_power *p, double effect, double runs)
{
    double more = p->runs > 1 ? (runs - 1) / (p->runs - 1) - 1 : 0,
           freedom = p->own_freedom > 0 ? fmax(1, p->freedom + p->own_freedom * more) : p->freedom,
           error = log1p(effect) / errors_needed(p, freedom), room = error * error - p->fixed;
    return room > 0 ? fmax(2, p->runs * fmax(0, p->error * p->error - p->fixed) / room) : INFINITY;
}

/* With few runs the error is known less well, so that more are needed: the least number that suffices by its own. */
double power_runs(const struct difference_power *p, double effect)
{
    double few = ceil(runs_once(p, effect, INFINITY)), many = fmax(few, p->runs);
    if (isinf(few))
        return few;
    while (many < RUNS_MOST && runs_once(p, effect, many) > many)
        many *= 2;
    while (many - few >= 1 && many < RUNS_MOST) {
        double middle = floor((few + many) / 2);
        if (runs_once(p, effect, middle) > middle)
            few = middle + 1;
        else
            many = middle;
    }
    return many < RUNS_MOST ? ceil(many) : INFINITY;
}

double difference_runs_for(const struct difference *d, double effect)
{
    return d->seen_least > 0 ? power_runs(&d->seen, effect) : 0;
}
