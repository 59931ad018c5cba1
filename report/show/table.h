/* SPDX-License-Identifier: MIT */
/* table.h: rows of cells in aligned columns that fit a width. It knows nothing of their meaning. */
#ifndef PROFPLUG_TABLE_H
#define PROFPLUG_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "store/arena.h"
#include "words/columns.h"

struct table_column {
    const char *title;
    bool left; /* aligned left; else right */
    int need;  /* the lowest is dropped first if the width is short; 0: never */
};

struct table {
    struct arena *arena;
    const struct table_column *column;
    size_t columns;
    const char **cell; /* row by row */
    size_t cell_count, cell_capacity;
    const char *sorted; /* title of the column that is marked as the order; NULL: none */
    bool colour;
    char hidden[256]; /* set by table_print: titles of the columns that did not fit */
    bool *dropped;    /* set by table_print, by column: not shown, because it is empty or did not fit */
    int wanted;       /* set by table_print: the width at which all columns fit */
};

/* Adds a cell; rows fill from left to right. The text is copied as quote_plain has it. */
void table_cell(struct table *table, const char *text);
/* titles are bold with colour; the last column is cut to fit */
void table_print(struct table *table, FILE *out, int width);
void table_free(struct table *table);

#endif
