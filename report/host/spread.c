/* SPDX-License-Identifier: MIT */
/* spread.c: see spread.h. */
#include "host/spread.h"

#include <math.h>
#include <stdlib.h>

static int number_compare(const void *a, const void *b)
{
    double one = *(const double *)a, two = *(const double *)b;
    return (one > two) - (one < two);
}

size_t spread_rank(size_t count, double *confidence)
{
    double outside = 0; /* probability that fewer than `rank` of `count` coins show heads, or tails */
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
    return (struct spread){ .median = (value[(count - 1) / 2] + value[count / 2]) / 2,
                            .low = value[rank - 1],
                            .high = value[count - rank] };
}

#define INSIDE 0.95
#define INSIDE_Z 1.95997 /* two-sided quantile of the normal distribution */
/* above this, the normal approximation; for 61 to 80 its rank is one or two lower, which is the safe side */
enum { EXACT_MOST = 60 };

/* Probability of each signed-rank sum, if each of `count` ranks is above or below the middle with probability 1/2. */
size_t spread_rank_even(size_t count, double *confidence)
{
    double n = (double)count, chance[EXACT_MOST * (EXACT_MOST + 1) / 2 + 1] = { 1 }, outside = 0;
    if (count > EXACT_MOST) {
        *confidence = 100 * INSIDE;
        return (size_t)(n * (n + 1) / 4 - INSIDE_Z * sqrt(n * (n + 1) * (2 * n + 1) / 24));
    }
    for (size_t rank = 1, most = 1; rank <= count; most += ++rank)
        for (size_t sum = most + 1; sum-- > 0;)
            chance[sum] = (chance[sum] + (sum >= rank ? chance[sum - rank] : 0)) / 2;
    *confidence = 100 * (1 - 2 * chance[0]);
    for (size_t rank = 1;; rank++) {
        outside += 2 * chance[rank - 1];
        if (rank > 1 && outside > 1 - INSIDE)
            return rank - 1;
        *confidence = 100 * (1 - outside);
    }
}

struct spread spread_find_even(const double *value, size_t count, double *mean)
{
    double confidence;
    size_t rank = spread_rank_even(count, &confidence), n = 0;
    for (size_t i = 0; i < count; i++)
        for (size_t k = i; k < count; k++)
            mean[n++] = (value[i] + value[k]) / 2;
    qsort(mean, n, sizeof *mean, number_compare);
    return (struct spread){ .median = (mean[(n - 1) / 2] + mean[n / 2]) / 2,
                            .low = mean[rank - 1],
                            .high = mean[n - rank] };
}
