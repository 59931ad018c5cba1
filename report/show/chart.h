/* SPDX-License-Identifier: MIT */
/* chart.h: runs of a history for a person and as JSON (profplug-history/1): the list, the series with their changes, a
 * chart, and a day's summary. It must not know where the runs come from. */
#ifndef PROFPLUG_CHART_H
#define PROFPLUG_CHART_H

#include "host/series.h"
#include "show/screen.h"

#define STAMP_BYTES 24
const char *stamp_text(char to[STAMP_BYTES], uint64_t ns); /* 2026-11-24 02:12, UTC */

/* The newest `view->top` runs; 0: all. */
void runs_print(FILE *out, const struct view *view, const struct history_run *run, size_t count);
void runs_json(FILE *out, const struct history_run *run, size_t count);

/* All series with their changes; then a chart, if `charted`, of each. */
void series_print(FILE *out, const struct view *view, const struct series_set *set, bool charted);
void series_json(FILE *out, const struct series_set *set);

/* summary.c: what a folder of runs, or a day of a history, is about. */
void summary_print(FILE *out, const struct view *view, const struct history_run *run, size_t count, const char *of);
void summary_json(FILE *out, const struct history_run *run, size_t count, const char *of);

#endif
