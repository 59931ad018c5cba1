/* SPDX-License-Identifier: MIT */
/* weighted.h: medians of weighted values, of which none decides alone. It must not know what they are. */
#ifndef PROFPLUG_WEIGHTED_H
#define PROFPLUG_WEIGHTED_H

#include <stddef.h>

struct pair {
    double value, weight;
};

/* Returns the sum of the weights, after none is too large a part of them. */
double weights_cap(struct pair *pair, size_t count);
/* Sorts them. 1 if there are none. */
double weighted_median(struct pair *pair, size_t count);
/* Of a weighted median of values with these variances: pi / 2 times that of a mean with the same weights. */
double median_variance(struct pair *pair, size_t count);

#endif
