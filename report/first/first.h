/* SPDX-License-Identifier: MIT */
/* first.h: the first screen: what ran, what to change, where the time is, and what to ask next, in 40 lines. */
#ifndef PROFPLUG_FIRST_H
#define PROFPLUG_FIRST_H

#include "section/section.h"

/* The first screen, all that is known, or the sections of the view. */
void text_report(FILE *out, const struct model *model, const struct view *view);
void text_first(FILE *out, const struct model *model, const struct view *view);

/* Its parts. Each writes whole lines, at most as wide as the view, and no empty line before or after them. */

/* head.c: two lines about the run and what is known of it, then one for each thing that changes how to read the rest:
 * a doubt, other processes, a run that is too short. */
void first_head(FILE *out, const struct model *model, const struct view *view);

/* findings.c: the one with this number, counted from 0; and a line about those from `shown` on, if there are any. */
size_t first_finding_count(const struct model *model); /* without accepted ones */
void first_finding(FILE *out, const struct model *model, const struct view *view, size_t number);
void first_findings_rest(FILE *out, const struct model *model, const struct view *view, size_t shown);
/* calm.c: why there is no finding. */
void first_calm(FILE *out, const struct model *model, const struct view *view);

/* tree.c: at most `rows` stages as a tree. Returns how many there could be. */
size_t first_tree(FILE *out, const struct model *model, const struct view *view, size_t rows);

/* hottest.c: at most `rows` lines by CPU time and waits, and how sure that is. Returns how many there could be. */
size_t first_hottest(FILE *out, const struct model *model, const struct view *view, size_t rows);

/* The line with most CPU time or waits; MODEL_NONE: no line is known. */
uint32_t first_hottest_line(const struct model *model);

#endif
