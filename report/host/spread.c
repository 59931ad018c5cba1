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

enum { RANKED_MOST = 40 }; /* of both samples together, beyond that the normal approximation */

/* How often the rank sum of samples of n and m is `u` above its least, as a share of all orders, for all u. */
static void rank_sums(size_t n, size_t m, double *chance)
{
    size_t most = n * m;
    /* the number of ways is the coefficient of the Gaussian binomial; a factor (1 - q^(m+i)) / (1 - q^i) at a time */
    for (size_t u = 0; u <= most; u++)
        chance[u] = u == 0;
    for (size_t i = 1; i <= n; i++) {
        for (size_t u = most + 1; u-- > m + i;)
            chance[u] -= chance[u - m - i];
        for (size_t u = i; u <= most; u++)
            chance[u] += chance[u - i];
        for (size_t u = 0; u <= most; u++)
            chance[u] *= (double)i / (double)(m + i);
    }
}

static size_t shift_rank(size_t n, size_t m, double *confidence)
{
    double chance[RANKED_MOST * RANKED_MOST / 4 + 1], below = 0, size = (double)n * (double)m;
    if (n + m > RANKED_MOST) {
        double rank = size / 2 - INSIDE_Z * sqrt(size * (double)(n + m + 1) / 12);
        *confidence = 100 * INSIDE;
        return rank > 1 ? (size_t)rank : 1;
    }
    rank_sums(n, m, chance);
    *confidence = 100 * (1 - 2 * chance[0]);
    for (size_t rank = 1;; rank++) {
        below += chance[rank - 1];
        if (rank > 1 && 2 * below > 1 - INSIDE)
            return rank - 1;
        *confidence = 100 * (1 - 2 * below);
    }
}

struct spread spread_find_shift(const double *one, size_t one_count, const double *two, size_t two_count,
                                double *difference, double *confidence)
{
    size_t rank = shift_rank(one_count, two_count, confidence), n = 0;
    for (size_t i = 0; i < one_count; i++)
        for (size_t k = 0; k < two_count; k++)
            difference[n++] = two[k] - one[i];
    qsort(difference, n, sizeof *difference, number_compare);
    return (struct spread){ .median = (difference[(n - 1) / 2] + difference[n / 2]) / 2,
                            .low = difference[rank - 1],
                            .high = difference[n - rank] };
}
