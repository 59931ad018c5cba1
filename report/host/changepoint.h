/* SPDX-License-Identifier: MIT */
/* changepoint.h: where the level of a series of runs changes, and which single runs are unlike the others. It must not
 * know what was measured. */
#ifndef PROFPLUG_CHANGEPOINT_H
#define PROFPLUG_CHANGEPOINT_H

#include <stdbool.h>
#include <stddef.h>

enum { CHANGEPOINT_SEGMENT = 5 }; /* runs before and after a change, at least */
#define CHANGEPOINT_LEAST 0.03    /* the smallest change that is told, of the value before */

struct changepoint {
    size_t at;               /* the first value of the new level */
    double before, after;    /* medians of the levels */
    double ratio, low, high; /* after / before, with an interval of at least 95 % */
};

/* Changes of the level of `count` values above 0, in their order. `level`: the probability with which one is found in
 * a series that has none, 0.05 at most. Returns how many were found, `most` at most. */
size_t changepoint_find(const double *value, size_t count, double level, struct changepoint *found, size_t most);

/* Marks the values that are far from the others of their level: single spikes. Returns how many. */
size_t changepoint_outliers(const double *value, size_t count, const struct changepoint *found, size_t found_count,
                            bool *unlike);

#endif
