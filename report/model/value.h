/* SPDX-License-Identifier: MIT */
/* value.h: a time with its variance, and the index that says there is none. */
#ifndef PROFPLUG_MODEL_VALUE_H
#define PROFPLUG_MODEL_VALUE_H

#include <stdbool.h>
#include <stdint.h>

#define MODEL_NONE UINT32_MAX

struct value {
    double ns, variance;
};                                              /* variance 0: exact. ns^2 */
double value_error_percent(struct value value); /* one sigma, percent of the value; 0 if exact or 0 */
/* It rests on one observation or hardly more, so that its error is as large as itself. */
bool value_is_vague(struct value value);

#endif
