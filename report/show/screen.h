/* SPDX-License-Identifier: MIT */
/* screen.h: a model as a terminal shows it. */
#ifndef PROFPLUG_TEXT_H
#define PROFPLUG_TEXT_H

#include <stdio.h>

#include "model/model.h"

struct view {           /* what to show of a model, also in JSON */
    size_t top;         /* most rows of each table */
    double min_percent; /* rows below this share are left out */
    const char *sort;   /* a key of orders.def; NULL: the default of each table */
    const char *filter; /* rows whose names have it, or match it where it has * ? or [; NULL: all */
    bool explain;       /* list how each function was instrumented, with the reason */
    int width;
    bool colour;
    bool utf8;                        /* the reader's terminal shows more than ASCII */
    bool for_person;                  /* show system headers' code at the user's lines that call it */
    const char *program;              /* the tool's name in recommended commands; NULL: profplug */
    const struct between *between; /* what changed between two snapshots; NULL: the whole run */
    const struct model *against; /* html: another run that this one is compared with; NULL: none */
    bool remarks;                     /* annotate: what the compiler remarked, below its lines */
    bool int64_strings;               /* JSON: integers as strings */
    bool whole;                       /* all sections instead of the first screen */
    const char *const *section;       /* or these, by their names in sections.def */
    size_t section_count;
};

/* view.c: selection and order of rows, the same in every format. Largest value of `sort` first. The caller frees
 * the list. */
uint32_t *view_functions(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_lines(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
/* A tree with sorted siblings; in the text, --sort gives one flat list instead. */
uint32_t *view_stages(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_allocations(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_volumes(const struct model *model, const struct view *view, enum pp_callsite_kind kind, size_t *count,
                       size_t *left_out);
uint32_t *view_mappings(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_loops(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_threads(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
bool view_is_flat(const struct view *view);
/* Whether a row of that name or place is asked for. NULL matches nothing. */
bool view_matches(const struct view *view, const char *name, const char *place);

/* lanes.c: the timeline. Nothing, if the run has none. */
void text_lanes(FILE *out, const struct model *model, const struct view *view);

/* terminal.c: the width (COLUMNS, the terminal's, or 160 for a file), whether to use colour (a terminal without
 * NO_COLOR), and whether the locale has UTF-8. */
void view_terminal(struct view *view, FILE *out);

/* listing.c: source with its numbers. NULL `subject`: the file with most time. If nothing of that name exists,
 * nothing is written, and `close` gets up to three similar names. If several functions have names that end in
 * `subject`, `close` gets those. */
enum annotated { ANNOTATED_NOTHING, ANNOTATED, ANNOTATED_SEVERAL };
enum annotated text_annotate(FILE *out, const struct model *model, const struct view *view, const char *subject,
                             char close[256]);

/* The file whose lines have most time; NULL if no line is known. */
const char *text_hottest_file(const struct model *model);

/* Width of a name in a table: 40 % of the width and at most 40 columns, so that wider terminals show more
 * figures. */
int name_room(const struct view *view);

/* Prints `text` wrapped to `width`. The first line already has `used` columns; later lines begin at `indent`. */
void text_wrap(FILE *out, const char *text, int used, int indent, int width);
/* Below a table: how many rows are missing (nothing for 0), the legend, and which columns did not fit. */
struct table;
void text_more(FILE *out, size_t left_out);
void text_foot(FILE *out, const struct view *view, const struct table *table, const char *meaning);

/* Terminal codes; empty strings without colour. */
const char *paint(const struct view *view, const char *code);
void text_heading(FILE *out, const struct view *view, const char *title, const char *remark);
const char *path_short(const char *path); /* the last component */

#endif
