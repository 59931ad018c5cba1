/* SPDX-License-Identifier: MIT */
/* jsonrow.h: fields of rows of the JSON report. Integers are written digit by digit, never through a double. */
#ifndef PROFPLUG_JSONROW_H
#define PROFPLUG_JSONROW_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include <cjson/cJSON.h>

#include "merge/between.h"

extern bool json_integers_as_text; /* --int64=string */
/* Before a document's first node; what cJSON takes until json_end is not to be freed. */
void json_begin(void);
/* Writes the document and frees all that was taken for it. */
void json_end(FILE *out, const cJSON *root);
cJSON *json_integer(uint64_t value);
void add_integer(cJSON *to, const char *name, uint64_t value);
void add_signed(cJSON *to, const char *name, int64_t value);
/* a computed time or size, written as an integer */
void add_whole(cJSON *to, const char *name, double value);
/* Writes a metric, which may be negative if its row in metric.def says so. */
void add_metric(cJSON *to, unsigned metric, double value);
void add_real(cJSON *to, const char *name, double value);
/* NAME_error_percent, of a number that has an error */
void add_error(cJSON *to, const char *name, double value, double error);
void add_text(cJSON *to, const char *name, const char *text);
/* A sentence, escaped as on a terminal; nothing if it is empty. */
void add_prose(cJSON *to, const char *name, const char *text);
void add_text_known(cJSON *to, const char *name, const char *text);

/* What a line calls in libraries. */
void json_callees(cJSON *row, const struct model *model, const struct model_line *line);

/* jsonio.c */
/* PREFIXfile, PREFIXline and PREFIXfunction, as far as they are known */
void json_place(cJSON *row, const struct model *model, const char *prefix, uint32_t line, uint32_t function);
/* The operations of a line or function, if any; `wait` names the field of its time off the CPU. */
void json_traffic(cJSON *to, const struct model_traffic *traffic);
void json_stage_waits(cJSON *to, const struct model_stage *stage);
void json_operations(cJSON *root, const struct model *model); /* operations[], files[], endpoints[] */

/* jsonadvice.c */
void json_advice(cJSON *root, const struct model *model); /* recommendations[] */
void json_remarks(cJSON *root, const struct model *model); /* jsonremark.c */
/* jsonthread.c */
void json_threads(cJSON *root, const struct model *model); /* threads[], thread_groups[] */
void json_merged(cJSON *root, const struct model *model);  /* merged; of a merged file alone */

/* jsontimeline.c */
void json_timeline(cJSON *root, const struct model *model); /* timeline */

/* jsonnumber.c */
void json_counters(cJSON *to, const struct model *model, const struct model_tally *tally); /* writes nothing for NULL */
void json_growth(cJSON *row, const struct model_stage *stage); /* writes nothing if growth is unknown */
void json_throughput(cJSON *row, const struct model_stage *stage);
/* snapshots[], and what changed between two unless `between` is NULL */
void json_snapshots(cJSON *root, const struct model *model, const struct between *between);

/* What was touched of blocks and mappings (NULL: none), and the page faults that it took, about. */
void json_touched(cJSON *to, const struct model *model, const struct model_blocks *blocks,
                  const struct model_blocks *mappings);
/* The same of a line, and the page faults that it took. */
void json_faults(cJSON *to, const struct model *model, const struct model_line *line);
/* Of the run: all page faults, and those that lines have. */
void json_faults_all(cJSON *to, const struct model *model);
void json_mappings(cJSON *to, const struct model_blocks *blocks);

#endif
