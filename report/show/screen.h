/* SPDX-License-Identifier: MIT */
/* screen.h: a model as a terminal shows it. */
#ifndef PROFPLUG_TEXT_H
#define PROFPLUG_TEXT_H

#include <stdio.h>

#include "model/model.h"

struct view {                    /* what to show of a model, also for JSON */
    size_t top;                  /* at most so many lines and functions */
    double min_percent;          /* and none below that share */
    const char *sort;            /* a key of VIEW_SORTS, null for each table's own */
    bool explain;                /* list what was counted only and left out, with the reason */
    int width;
    bool colour;
    bool for_person;             /* code of system headers stands where the user's sources call it */
    const char *program;         /* how the tool is called, for commands that are recommended; null: profplug */
    const struct difference *between;    /* what changed between two snapshots; null: the whole run */
    bool int64_strings;          /* JSON: integers above 2^53 as strings */
};

void text_report(FILE *out, const struct model *model, const struct view *view);
void text_stages(FILE *out, const struct model *model, const struct view *view);       /* its parts */
void text_numbers(FILE *out, const struct model *model, const struct view *view);      /* throughput, the program's own counts and gauges */
void text_snapshots(FILE *out, const struct model *model, const struct view *view);
void text_between(FILE *out, const struct model *model, const struct view *view);      /* in the place of all that is of the whole run */
void text_hot(FILE *out, const struct model *model, const struct view *view);
void text_allocations(FILE *out, const struct model *model, const struct view *view);
/* What calls of memcpy copied; what the program's own allocators handed out. */
void text_volumes(FILE *out, const struct model *model, const struct view *view, enum pp_callsite_kind kind);
/* How the allocator stands at the end. */
void text_arena(FILE *out, const struct model *model, const struct view *view);
void text_mappings(FILE *out, const struct model *model, const struct view *view);
void text_operations(FILE *out, const struct model *model, const struct view *view);
void text_waits_by_calls(FILE *out, const struct model *model, const struct view *view);
const char *text_waits(char *to, size_t room, const struct model_stage *stage);        /* what most of its time was waited in: "lock 40%, io 12%" */
const char *text_error(char *to, struct value value);                                  /* "+-3.1%", "-" where it is exact */
void text_coverage(FILE *out, const struct model *model, const struct view *view);

/* view.c: the order and the cut, the same for every format. Functions and lines worth a row, most of `sort` first; the
 * caller frees the list. */
uint32_t *view_functions(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_lines(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
/* As a tree, siblings sorted; a person who asks for an order gets it over all of them (flat). */
uint32_t *view_stages(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_allocations(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
uint32_t *view_volumes(const struct model *model, const struct view *view, enum pp_callsite_kind kind, size_t *count, size_t *left_out);
uint32_t *view_mappings(const struct model *model, const struct view *view, size_t *count, size_t *left_out);
bool view_is_flat(const struct view *view);
bool view_sort_known(const char *key);
#define VIEW_SORTS "self, total, calls, samples, name, mean, p99"

/* terminal.c: width (COLUMNS, the terminal's, or 160 for a file) and whether to colour (a terminal, and no NO_COLOR). */
void view_terminal(struct view *view, FILE *out);

/* listing.c: source with its numbers. Null `subject`: the file with most time. Nothing is written when there is no function, stage or
 * source of that name: then `close` gets up to three names like it; or several that end so: then those. */
enum annotated { ANNOTATED_NOTHING, ANNOTATED, ANNOTATED_SEVERAL };
enum annotated text_annotate(FILE *out, const struct model *model, const struct view *view, const char *subject, char close[256]);

/* The file with most time on its lines, as the terminal books it; null when no line is known. */
const char *text_hottest_file(const struct model *model);

/* Columns for a name in a table: 40 % of the width, and no more than 40, so that a wider terminal has room for figures. */
int name_room(const struct view *view);

/* Words of `text` in lines of the view's width, of which the first has `used` columns taken; later ones begin at `indent`. */
void text_wrap(FILE *out, const char *text, int used, int indent, int width);
/* Below a table: how many rows are missing (0: says nothing), what its columns mean, and which had no room. */
struct table;
void text_more(FILE *out, size_t left_out);
void text_foot(FILE *out, const struct view *view, const struct table *table, const char *meaning);

/* Dims and emphases, empty strings without colour. */
const char *paint(const struct view *view, const char *code);
void text_heading(FILE *out, const struct view *view, const char *title, const char *remark);
const char *path_short(const char *path);        /* the file's own name */

#endif
