/* SPDX-License-Identifier: MIT */
/* fit.c: see fit.h. With cost = c n^a log^b n the ratio of both is the same at each size, so the logarithms of these
 * ratios have no spread. The form with the least spread is named, if the next one has clearly more. */
#include "model/fit.h"

#include <math.h>

#define LEAST_RANGE 2     /* of the sizes: the largest is so many times the smallest */
#define MOST_SPREAD 0.15  /* of the ratios: 15 % */
#define LEAST_SIZE 8      /* below it what is done once hides how it grows */
#define CLEARLY 1.5       /* times more spread has the next form */

static const struct form {
    const char *name;
    double power, logs;
} forms[] = {
    { "1", 0, 0 },         { "log n", 0, 1 },     { "sqrt n", 0.5, 0 },        { "n", 1, 0 },
    { "n log n", 1, 1 },   { "n log^2 n", 1, 2 }, { "n sqrt n", 1.5, 0 },      { "n^2", 2, 0 },
    { "n^2 log n", 2, 1 }, { "n^3", 3, 0 },       { "n^3 log n", 3, 1 },       { "n^4", 4, 0 },
};

static double ratio(const struct fit_point *p, const struct form *form)
{
    return log(p->cost) - form->power * log(p->size) - form->logs * log(log(p->size));
}

static double spread_of(const struct fit_point *point, size_t count, const struct form *form)
{
    double sum = 0, squares = 0, used = 0;
    for (size_t i = 0; i < count; i++)
        if (point[i].size >= LEAST_SIZE && point[i].cost > 0) {
            sum += ratio(&point[i], form);
            used++;
        }
    for (size_t i = 0; i < count; i++)
        if (point[i].size >= LEAST_SIZE && point[i].cost > 0)
            squares += pow(ratio(&point[i], form) - sum / used, 2);
    return sqrt(squares / used);
}

bool fit_find(const struct fit_point *point, size_t count, struct fit *fit)
{
    const struct form *best = NULL;
    double least = INFINITY, next = INFINITY;
    *fit = (struct fit){ .least = INFINITY };
    for (size_t i = 0; i < count; i++)
        if (point[i].size >= LEAST_SIZE && point[i].cost > 0) {
            fit->sizes++;
            fit->least = fmin(fit->least, point[i].size);
            fit->most = fmax(fit->most, point[i].size);
        }
    if (fit->sizes < FIT_FEWEST_SIZES || fit->most < LEAST_RANGE * fit->least)
        return false;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        double spread = spread_of(point, count, &forms[i]);
        if (spread < least) {
            next = least;
            least = spread;
            best = &forms[i];
        } else if (spread < next) {
            next = spread;
        }
    }
    fit->name = best->name;
    fit->power = best->power;
    fit->logs = best->logs;
    fit->error_percent = 100 * least;
    return least <= MOST_SPREAD && next >= CLEARLY * least;
}
