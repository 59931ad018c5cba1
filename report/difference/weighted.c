/* SPDX-License-Identifier: MIT */
/* weighted.c: see weighted.h. */
#include "difference/weighted.h"

#include <math.h>
#include <stdlib.h>

enum { ROUNDS = 60 };

/* Of all weights: no site decides alone what the machine did, and of few sites none has more than a quarter. */
static double weight_most(size_t count) { return fmax(0.05, fmin(0.25, 3.0 / (double)(count ? count : 1))); }

static int pair_order(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    return (x->value > y->value) - (x->value < y->value);
}

double weights_cap(struct pair *pair, size_t count)
{
    double sum = 0, before = INFINITY;
    for (int round = 0; round < ROUNDS && sum < 0.999 * before; round++) { /* what is cut makes the sum smaller */
        before = round ? sum : INFINITY;
        sum = 0;
        for (size_t i = 0; i < count; i++)
            sum += pair[i].weight;
        for (size_t i = 0; i < count; i++)
            pair[i].weight = fmin(pair[i].weight, weight_most(count) * sum);
    }
    sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += pair[i].weight;
    return sum;
}

double weighted_median(struct pair *pair, size_t count)
{
    double sum = weights_cap(pair, count), so_far = 0;
    qsort(pair, count, sizeof *pair, pair_order);
    for (size_t i = 0; i < count; i++) {
        so_far += pair[i].weight;
        if (so_far == sum / 2 && i + 1 < count)
            return (pair[i].value + pair[i + 1].value) / 2;
        if (so_far > sum / 2)
            return pair[i].value;
    }
    return count ? pair[count - 1].value : 1;
}

double median_variance(struct pair *pair, size_t count)
{
    double variance = 0, sum = weights_cap(pair, count);
    for (size_t i = 0; i < count; i++)
        variance += pair[i].weight * pair[i].weight * pair[i].value / (sum * sum);
    return 1.5707963 * variance;
}
