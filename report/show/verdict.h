/* SPDX-License-Identifier: MIT */
/* verdict.h: what was asked of stages and what came of it, for a person and for build servers. Must not know how it was found. */
#ifndef PROFPLUG_VERDICT_H
#define PROFPLUG_VERDICT_H

#include <stdio.h>

#include "estimate/objective.h"

/* Rows of verdict.c's table: text, json (profplug-check/1), junit, sarif. */
#define VERDICT_FORMATS "text, json, junit or sarif"
typedef void (*verdict_print)(FILE *out, const struct verdict *verdict, size_t count, bool colour);
verdict_print verdict_format(const char *name);          /* null: there is none of that name */

#endif
