/* SPDX-License-Identifier: MIT */
/* fit.h: how a cost grows with its size: which of n^a log^b n follows the points, if one does. It must not know what is
 * measured.
 *
 *   struct fit fit;
 *   if (fit_find(point, count, &fit)) printf("%s\n", fit.name); // "n^2" */
#ifndef PROFPLUG_MODEL_FIT_H
#define PROFPLUG_MODEL_FIT_H

#include <stdbool.h>
#include <stddef.h>

#define FIT_FEWEST_SIZES 5

struct fit_point {
    double size, cost;
};
struct fit {
    const char *name;    /* "n", "n log n", "n^2", ... */
    double power, logs;  /* a and b */
    double error_percent; /* by how much a point is off it, in the mean (root of squares) */
    size_t sizes;
    double least, most; /* of the sizes */
};

/* False: fewer than five sizes, too near to each other, or none fits much better than the others. */
bool fit_find(const struct fit_point *point, size_t count, struct fit *fit);

#endif
