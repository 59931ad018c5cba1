/* SPDX-License-Identifier: MIT */
/* linetable.c: see linetable.h. */
#include "symbol/linetable.h"
#include "store/arena.h"

#include <stdlib.h>
#include <string.h>

void line_table_add(struct line_table *table, const struct line_row *row)
{
    /* Rows at the address where their sequence ends cover no code. If they were kept, they would cover the code that
     * follows. */
    while (row->ends && table->count > table->sequence && table->row[table->count - 1].address == row->address)
        table->count--;
    struct line_row *added = ARRAY_PUSH(table->row, table->count, table->capacity);
    *added = *row;
    added->order = (uint32_t)(added - table->row);
}

void line_table_end(struct line_table *table, bool keep)
{
    if (!keep)
        table->count = table->sequence;
    table->sequence = table->count;
}

/* At one address the end of a sequence sorts before the beginning of the next. */
static int row_order(const void *left, const void *right)
{
    const struct line_row *a = left, *b = right;
    if (a->address != b->address)
        return a->address < b->address ? -1 : 1;
    if (a->ends != b->ends)
        return a->ends ? -1 : 1;
    return a->order < b->order ? -1 : a->order > b->order;
}

void line_table_sort(struct line_table *table)
{
    for (size_t i = 1; i < table->count; i++)
        if (row_order(&table->row[i - 1], &table->row[i]) > 0) {
            qsort(table->row, table->count, sizeof *table->row, row_order);
            return;
        }
}

const struct line_row *line_table_find(const struct line_table *table, uint64_t address)
{
    size_t low = 0, high = table->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (table->row[middle].address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low && !table->row[low - 1].ends ? &table->row[low - 1] : NULL;
}

void line_table_close(struct line_table *table)
{
    free(table->row);
    memset(table, 0, sizeof *table);
}
