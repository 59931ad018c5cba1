/* SPDX-License-Identifier: MIT */
/* sheet.h: the tables of the page's data, as columns of numbers. A row is filled from left to right, and each row of a
 * sheet has the same columns. Texts are numbers of a list that all sheets share. Rows are in sheets.def.
 *
 *     struct sheet *s = sheet_begin(book, "lines");
 *     for each line:
 *         sheet_text(s, "file", line->file);
 *         sheet_number(s, "samples", line->samples);
 *         sheet_row(s);
 *     sheet_end(s);
 */
#ifndef PROFPLUG_SHEET_H
#define PROFPLUG_SHEET_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "show/screen.h"

struct book { /* all sheets of a page */
    FILE *out;
    const struct model *model;
    const struct view *view;
    struct arena arena;
    struct text_slot *slot; /* texts by hash */
    size_t slot_room, text_count;
    const char **text; /* by number, as people may read them */
    size_t text_room;
    struct packing *packing;
};

struct sheet;
struct sheet *sheet_begin(struct book *book, const char *name);
void sheet_number(struct sheet *sheet, const char *column, uint64_t value);
/* Absent if it is not known; it is NaN in the script then. */
void sheet_known(struct sheet *sheet, const char *column, bool known, uint64_t value);
void sheet_signed(struct sheet *sheet, const char *column, int64_t value);
void sheet_time(struct sheet *sheet, const char *column, double ns); /* rounded as in JSON */
void sheet_delta(struct sheet *sheet, const char *column, uint32_t value); /* as the step from the row before */
void sheet_percent(struct sheet *sheet, const char *column, bool known, double percent); /* to 0.01; 1e12 at most */
void sheet_index(struct sheet *sheet, const char *column, uint32_t index); /* MODEL_NONE is absent */
void sheet_text(struct sheet *sheet, const char *column, const char *text); /* escaped for people; NULL is empty */
void sheet_error(struct sheet *sheet, const char *column, const struct value *value);
void sheet_row(struct sheet *sheet);
void sheet_end(struct sheet *sheet); /* writes the block */

/* Writes all sheets of sheets.def, the sources, and the list of texts at the end. */
void book_write(FILE *out, const struct model *model, const struct view *view);

#define SHEET(name) void sheet_##name(struct book *book);
#include "sheet/sheets.def"

#endif
