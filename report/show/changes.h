/* SPDX-License-Identifier: MIT */
/* changes.h: what a comparison of two programs found, for a person: on a terminal, and as markdown. It must not know
 * how it was found. */
#ifndef PROFPLUG_CHANGES_H
#define PROFPLUG_CHANGES_H

#include <stdio.h>

#include "difference/difference.h"
#include "show/screen.h"
#include "show/table.h"

void changes_text(FILE *out, const struct difference *difference, const struct view *view);
void changes_markdown(FILE *out, const struct difference *difference, const struct view *view);

/* stagepair.c: times and bytes of the stages that are compared, one row for each of the two. The table is the
 * caller's. */
void stages_fill(struct table *table, const struct difference *difference);
extern const struct table_column stage_columns[];
enum { STAGE_COLUMNS = 8 };

#endif
