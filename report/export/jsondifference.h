/* SPDX-License-Identifier: MIT */
/* jsondifference.h: what a comparison found, as profplug-diff/1 (profplug-diff-1.schema.json). */
#ifndef PROFPLUG_JSONDIFFERENCE_H
#define PROFPLUG_JSONDIFFERENCE_H

#include <stdio.h>

#include "difference/difference.h"
#include "show/screen.h"

void difference_json(FILE *out, const struct difference *difference, const struct view *view);

#endif
