/* SPDX-License-Identifier: MIT */
/* spread.h: statistics of repeated measurements. The sign test gives their median, and an interval for it without any
 * assumption about their distribution. If the distribution is symmetric, the signed-rank test (Hodges and Lehmann)
 * gives the median of the means of all pairs, with a narrower interval. It must not know what was measured. */
#ifndef PROFPLUG_SPREAD_H
#define PROFPLUG_SPREAD_H

#include <stddef.h>

struct spread {
    double median, low, high;
};

/* Sorts the `count` values (at least one). The interval reaches from the rank-th smallest to the rank-th
 * largest. */
struct spread spread_find(double *value, size_t count);

/* The largest rank whose interval contains the median in at least 95 % of cases, else 1. *confidence is in
 * percent. */
size_t spread_rank(size_t count, double *confidence);

/* As above, for the means of all pairs (each value with itself, too). `mean` has room for count * (count + 1) / 2.
 * The rank is a rank of those means. */
struct spread spread_find_even(const double *value, size_t count, double *mean);
size_t spread_rank_even(size_t count, double *confidence);

/* How far the values of `two` lie above those of `one`: the median of all differences, and the interval of the rank-sum
 * test (Mann and Whitney; Hodges and Lehmann). `difference` has room for one_count * two_count. The interval contains
 * the shift in at least 95 % of cases, or, of few values, in *confidence percent. */
struct spread spread_find_shift(const double *one, size_t one_count, const double *two, size_t two_count,
                                double *difference, double *confidence);

#endif
