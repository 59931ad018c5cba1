/* SPDX-License-Identifier: MIT */
/* jsonrow.h: fields of a row of the JSON report, and the rows of what was done on files and sockets. Integers are written digit by digit, never
 * through a double. */
#ifndef PROFPLUG_JSONROW_H
#define PROFPLUG_JSONROW_H

#include <stdbool.h>
#include <stdint.h>

#include <cjson/cJSON.h>

#include "merge/difference.h"

extern bool json_wide_as_text;           /* --int64=string */
void add_integer(cJSON *to, const char *name, uint64_t value);
void add_signed(cJSON *to, const char *name, int64_t value);
void add_whole(cJSON *to, const char *name, double value);       /* that was computed: whole where it is a time or a size */
/* The same of a metric, which may be below 0 if its row says so. */
void add_metric(cJSON *to, unsigned metric, double value);
void add_real(cJSON *to, const char *name, double value);
void add_text(cJSON *to, const char *name, const char *text);
void add_text_known(cJSON *to, const char *name, const char *text);

/* jsonio.c */
void json_traffic(cJSON *to, const struct model_traffic *traffic, const char *wait);       /* of a line or a function; nothing if there was none; wait: what its time off the CPU is called */
void json_stage_waits(cJSON *to, const struct model_stage *stage);
void json_operations(cJSON *root, const struct model *model);            /* operations[], files[], endpoints[] */

/* jsonnumber.c */
void json_counters(cJSON *to, const struct model *model, const struct model_tally *tally);       /* nothing where it is null */
void json_growth(cJSON *row, const struct model_stage *stage);           /* nothing where it is not known */
void json_throughput(cJSON *row, const struct model_stage *stage);
void json_snapshots(cJSON *root, const struct model *model, const struct difference *between);       /* snapshots[]; and what changed between two, null for none */

#endif
