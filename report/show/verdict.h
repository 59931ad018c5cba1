/* SPDX-License-Identifier: MIT */
/* verdict.h: objectives of stages and whether they were met, for a person and for build servers. It must not know
 * how they were judged. */
#ifndef PROFPLUG_VERDICT_H
#define PROFPLUG_VERDICT_H

#include <stdio.h>

#include "estimate/objective.h"

/* Rows of verdict.c's table: text, markdown, json (profplug-check/1), junit, sarif, gitlab. */
#define VERDICT_FORMATS "text, markdown, json, junit, sarif or gitlab"
typedef void (*verdict_print)(FILE *out, const struct verdict *verdict, size_t count, bool colour);
verdict_print verdict_format(const char *name); /* NULL if there is no such format */

#endif
