/* SPDX-License-Identifier: MIT */
/* student.h: the functions of statistics that tests of a difference need. It must not know what is tested. */
#ifndef PROFPLUG_STUDENT_H
#define PROFPLUG_STUDENT_H

#include <stdbool.h>
#include <stddef.h>

/* Probability that |t| of Student's distribution is as large or larger; with INFINITY as its degrees, the normal's. */
double student_tails(double t, double freedom);
/* The t of which that is the probability. */
double student_t(double tails, double freedom);
/* Probability that Fisher's F is as large or larger. */
double fisher_tail(double f, double above, double below);
/* Median of chi-square with `freedom` degrees, divided by them. */
double chi_median(double freedom);
double digamma_of(double x);  /* derivative of lgamma; x > 0 */
double trigamma_of(double x); /* and of that */
double trigamma_inverse(double y);

/* Benjamini and Hochberg (1995): marks those that are discoveries at false discovery rate q; returns how many. */
size_t discoveries_mark(bool *found, const double *probability, size_t count, double q);

#endif
