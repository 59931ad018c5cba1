/* SPDX-License-Identifier: MIT */
/* section.h: the tables of a report, by their names in sections.def. */
#ifndef PROFPLUG_SECTION_H
#define PROFPLUG_SECTION_H

#include "show/screen.h"
#include "words/figure.h"

struct section {
    const char *name, *meaning;
    void (*print)(FILE *out, const struct model *model, const struct view *view);
    bool in_whole; /* printed by --all */
};
extern const struct section section_table[]; /* ends with a NULL name */

const struct section *section_find(const char *name); /* NULL: there is none */

/* orders.c: the rows of orders.def. */
bool sort_known(const char *key);
const char *sort_names(struct arena *arena, const char *rows); /* "self, total"; NULL: of all rows */
bool sort_fits(const char *key, const char *rows);
const char *rows_section(const char *rows); /* NULL: there are no such rows */
extern const char rows_names[];                    /* for messages */

/* All that is known. */
void text_whole(FILE *out, const struct model *model, const struct view *view);
/* The sections of the view. One without rows says so. */
void text_sections(FILE *out, const struct model *model, const struct view *view);

#define SECTION(name, in_whole, function, meaning) \
    void function(FILE *out, const struct model *model, const struct view *view);
#include "section/sections.def"

/* The program, what it used, how it ended, and what profiling cost. */
void text_run(FILE *out, const struct model *model, const struct view *view);
/* What was counted, timed, sampled, lost and skipped, and the notes. The section also has what profiling cost. */
void text_accuracy(FILE *out, const struct model *model, const struct view *view);
/* with --between, instead of the tables for the whole run */
void text_between(FILE *out, const struct model *model, const struct view *view);

/* How the run ended: "exit 0". */
const char *text_end(struct arena *arena, const struct model_run *run);
/* "saves 12 to 18 % of the run" */
const char *saving_text(struct arena *arena, const struct model_advice *advice);
/* its largest waits: "lock 40%, io 12%" */
const char *text_waits(char *to, size_t room, const struct model_stage *stage);
/* "+-3.1%", or "-" if it is exact. `of`: what the value rests on: "samples". If it rests on one or two, it says so. */
const char *text_error(char *to, struct value value, const char *of);
/* What a column of samples counts, where some were due and not taken, after a separator; else "". */
const char *text_samples(struct arena *arena, const struct model *model);
/* 0 means that the program was killed before its CPU time was first read. */
#define CPU_BYTES (FIGURE_BYTES + 16)
const char *text_cpu(char to[CPU_BYTES], uint64_t ns);
/* "4 threads"; of merged files "4 processes", and their threads where they are more. */
const char *text_crew(struct arena *arena, const struct model *model);

#endif
