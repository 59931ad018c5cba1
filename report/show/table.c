/* SPDX-License-Identifier: MIT */
/* table.c: see table.h. */
#include "show/table.h"

#include <stdlib.h>
#include <string.h>

#include "words/quote.h"

#define GAP 2

void table_cell(struct table *table, const char *text)
{
    *ARRAY_PUSH(table->cell, table->cell_count, table->cell_capacity) = quote_plain(table->arena, text);
}

static const char *cell_at(const struct table *table, size_t row, size_t column)
{
    return table->cell[row * table->columns + column];
}

static const char *title_of(const struct table *table, size_t column)
{
    const char *title = table->column[column].title;
    if (!table->sorted || !title[0] || strcmp(title, table->sorted) != 0)
        return title;
    return arena_print(table->arena, "%s v", title);
}

/* The least width of a column; the last one may be cut to 24. */
static int width_least(const struct table *table, size_t column, int wide)
{
    bool cuttable = column + 1 == table->columns && table->column[column].left;
    return (column ? GAP : 0) + (cuttable && wide > 24 ? 24 : wide);
}

/* Drops the least important columns until the rest fits. */
static void columns_choose(struct table *table, const int *wide, bool *dropped, int width)
{
    bool *hidden = memory_zeroed(table->columns, sizeof *hidden);
    table->hidden[0] = 0;
    table->wanted = 0;
    for (size_t c = 0; c < table->columns; c++)
        table->wanted += dropped[c] ? 0 : width_least(table, c, wide[c]);
    for (int total = table->wanted; total > width;) {
        size_t least = table->columns;
        for (size_t c = 0; c < table->columns; c++)
            if (!dropped[c] && table->column[c].need &&
                (least == table->columns || table->column[c].need <= table->column[least].need))
                least = c;
        if (least == table->columns)
            break;
        total -= width_least(table, least, wide[least]);
        dropped[least] = hidden[least] = true;
    }
    for (size_t c = 0; c < table->columns; c++) {
        const char *title = hidden[c] ? table->column[c].title : "";
        size_t used = strlen(table->hidden);
        if (title[0] && !strstr(table->hidden, title) && used + strlen(title) + 3 < sizeof table->hidden)
            snprintf(table->hidden + used, sizeof table->hidden - used, "%s%s", used ? ", " : "", title);
    }
    free(hidden);
}

void table_print(struct table *table, FILE *out, int width)
{
    size_t rows = table->cell_count / table->columns, last = table->columns;
    int *wide = memory_zeroed(table->columns, sizeof *wide);
    free(table->dropped);
    bool *dropped = table->dropped = memory_zeroed(table->columns, sizeof *dropped);
    for (size_t c = 0; c < table->columns; c++) {
        bool empty = true;
        wide[c] = text_columns(title_of(table, c));
        for (size_t r = 0; r < rows; r++) {
            int w = text_columns(cell_at(table, r, c));
            wide[c] = w > wide[c] ? w : wide[c];
            empty = empty && (w == 0 || strcmp(cell_at(table, r, c), "-") == 0);
        }
        dropped[c] = empty && table->column[c].need;
    }
    columns_choose(table, wide, dropped, width);
    for (size_t c = 0; c < table->columns; c++)
        last = dropped[c] ? last : c;
    for (size_t r = 0; r <= rows; r++) {
        int at = 0, pending = 0;
        if (r == 0 && table->colour)
            fputs("\033[1m", out);
        for (size_t c = 0; c < table->columns; c++) {
            if (dropped[c])
                continue;
            const char *text = r ? cell_at(table, r - 1, c) : title_of(table, c);
            int w = text_columns(text), room = c == last && table->column[c].left ? width - at : wide[c];
            room = room > 8 ? room : 8;
            if (c == last && w > room)
                w = room;
            int bytes = bytes_within(text, w);
            while (c == last && bytes && text[bytes - 1] == ' ')
                bytes--;
            pending += table->column[c].left ? 0 : wide[c] - w;
            if (w) {
                fprintf(out, "%*s%.*s", pending, "", bytes, text);
                pending = 0;
            }
            pending += (table->column[c].left ? wide[c] - w : 0) + GAP;
            at += wide[c] + GAP;
        }
        if (r == 0 && table->colour)
            fputs("\033[0m", out);
        fputc('\n', out);
    }
    free(wide);
}

void table_free(struct table *table)
{
    free(table->cell);
    free(table->dropped);
    table->cell = NULL;
    table->dropped = NULL;
    table->cell_count = table->cell_capacity = 0;
}
