/* SPDX-License-Identifier: MIT */
/* student.c: see student.h. */
#include "difference/student.h"

#include <math.h>
#include <stdlib.h>

#include "store/arena.h"

enum { STEPS_MOST = 300 };

/* Continued fraction of the incomplete beta function (DLMF 8.17.22), by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    double fraction = d;
    for (int m = 1; m < STEPS_MOST; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double steps[2] = { even, odd }, product = 1;
        for (int k = 0; k < 2; k++) {
            d = 1 + steps[k] * d;
            c = 1 + steps[k] / c;
            d = 1 / (fabs(d) < tiny ? tiny : d);
            c = fabs(c) < tiny ? tiny : c;
            product = d * c;
            fraction *= product;
        }
        if (fabs(product - 1) < 1e-13)
            break;
    }
    return fraction;
}

static double beta_share(double a, double b, double x)
{
    if (x <= 0 || x >= 1)
        return x <= 0 ? 0 : 1;
    double front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}

double student_tails(double t, double freedom)
{
    if (!(freedom < 1e6))
        return erfc(fabs(t) / sqrt(2));
    return beta_share(freedom / 2, 0.5, freedom / (freedom + t * t));
}

double fisher_tail(double f, double above, double below)
{
    below = fmin(below, 1e6);
    return beta_share(below / 2, above / 2, below / (below + above * f));
}

/* Regula falsi of logarithms. An end that stays twice counts half (Illinois: Dowell and Jarratt, BIT 11, 1971). */
double student_t(double tails, double freedom)
{
    double low = 0, high = 2, wanted = log(tails), at_low = -wanted, at_high, middle = 0;
    int side = 0;
    if (!(tails < 1))
        return 0;
    if (!(tails > 0))
        return INFINITY;
    while ((at_high = log(student_tails(high, freedom)) - wanted) > 0 && high < 1e300) {
        low = high, at_low = at_high;
        high *= 2;
    }
    for (int i = 0; i < STEPS_MOST && high - low > 1e-12 * high; i++) {
        bool falls = isfinite(at_high) && i % 8 < 7;
        middle = falls ? (low * at_high - high * at_low) / (at_high - at_low) : (low + high) / 2;
        double at = log(student_tails(middle, freedom)) - wanted;
        if (fabs(at) < 1e-12)
            return middle;
        if (at > 0) {
            at_high /= side > 0 && falls ? 2 : 1;
            low = middle, at_low = at, side = 1;
        } else {
            at_low /= side < 0 && falls ? 2 : 1;
            high = middle, at_high = at, side = -1;
        }
    }
    return high;
}

/* Wilson and Hilferty (1931); within 1 % from 2 degrees on, and exact for 1. */
double chi_median(double freedom)
{
    double root = 1 - 2 / (9 * freedom);
    return freedom < 1.5 ? 0.45493642 : root * root * root;
}

/* Recurrence up to 6, then the asymptotic series (DLMF 5.11.2). */
double digamma_of(double x)
{
    double sum = 0;
    for (; x < 6; x++)
        sum -= 1 / x;
    double y = 1 / (x * x);
    return sum + log(x) - 0.5 / x - y * (1.0 / 12 - y * (1.0 / 120 - y / 252));
}

double trigamma_of(double x)
{
    double sum = 0;
    for (; x < 6; x++)
        sum += 1 / (x * x);
    double y = 1 / (x * x);
    return sum + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y / 42));
}

double trigamma_inverse(double y)
{
    double low = -20, high = 20; /* logarithms; trigamma falls */
    for (int i = 0; i < 100; i++) {
        double middle = (low + high) / 2;
        *(trigamma_of(exp(middle)) > y ? &low : &high) = middle;
    }
    return exp(low);
}

static int number_order(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

size_t discoveries_mark(bool *found, const double *probability, size_t count, double q)
{
    double *sorted = memory_zeroed(count + 1, sizeof *sorted), limit = -1;
    size_t n = 0;
    for (size_t i = 0; i < count; i++)
        sorted[i] = probability[i];
    qsort(sorted, count, sizeof *sorted, number_order);
    for (size_t i = 0; i < count; i++)
        if (sorted[i] <= q * (double)(i + 1) / (double)count)
            limit = sorted[i];
    for (size_t i = 0; i < count; i++)
        n += found[i] = probability[i] <= limit;
    free(sorted);
    return n;
}
