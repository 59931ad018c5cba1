/* SPDX-License-Identifier: MIT */
/* table.h: rows of cells in aligned columns that fit a width. Knows nothing of what they say. */
#ifndef PROFPLUG_TABLE_H
#define PROFPLUG_TABLE_H

#include <stdbool.h>
#include <stdio.h>

#include "store/arena.h"
#include "words/columns.h"

struct table_column {
    const char *title;
    bool left;                   /* aligned left; else right */
    int need;                    /* columns with the lowest need go first when the width is short; 0: never */
};

struct table {
    struct arena *arena;
    const struct table_column *column;
    size_t columns;
    const char **cell;           /* row by row */
    size_t cell_count, cell_capacity;
    const char *sorted;          /* title of the column that gives the order, which is marked; null for none */
    bool colour;
    char hidden[256];            /* set by table_print: titles of the columns that had no room, ", " between */
    bool *dropped;               /* likewise: by column, whether it is not shown, for want of room or of anything in it */
    int wanted;                  /* and the width that has room for all */
};

/* Adds a cell; a row is full after as many as there are columns. The text is copied, and made plain. */
void table_cell(struct table *table, const char *text);
void table_print(struct table *table, FILE *out, int width);     /* titles in bold with colour; the last column is cut to fit */
void table_free(struct table *table);

/* A copy in which control characters and what is no UTF-8 are written out, so that a name cannot steer the terminal. */
const char *text_plain(struct arena *arena, const char *text);

#endif
