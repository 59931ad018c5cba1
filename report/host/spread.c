/* SPDX-License-Identifier: MIT */
/* spread.c: see spread.h. */
#include "spread.h"

#include <math.h>
#include <stdlib.h>

static int number_compare(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

size_t spread_rank(size_t count, double *confidence)
{
    double outside = 0;                     /* of 1: fewer than `rank` of `count` coins show heads, or tails */
    *confidence = 0;
    for (size_t rank = 1;; rank++) {
        double n = (double)count, heads = (double)rank - 1;
        outside += 2 * exp(lgamma(n + 1) - lgamma(heads + 1) - lgamma(n - heads + 1) - n * log(2));
        if (rank > 1 && outside > 0.05)
            return rank - 1;
        *confidence = 100 * (1 - outside);
    }
}

struct spread spread_find(double *value, size_t count)
{
    double confidence;
    size_t rank = spread_rank(count, &confidence);
    qsort(value, count, sizeof *value, number_compare);
    return (struct spread){ .median = (value[(count - 1) / 2] + value[count / 2]) / 2, .low = value[rank - 1], .high = value[count - rank] };
}
