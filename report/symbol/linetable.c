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

static bool is_sorted(const struct line_row *row, size_t count)
{
    for (size_t i = 1; i < count; i++)
        if (row_order(&row[i - 1], &row[i]) > 0)
            return false;
    return true;
}

struct sequence {
    const struct line_row *row;
    size_t count;
};

static int sequence_order(const void *left, const void *right)
{
    const struct sequence *a = left, *b = right;
    return row_order(a->row, b->row);
}

/* Rows come in order but for where a sequence begins, as for the cold parts of functions. So it is the sequences that
 * are sorted. Returns false, and does nothing, where their rows are out of order or overlap. */
static bool sequences_sort(struct line_table *table)
{
    struct sequence *sequence = NULL;
    size_t count = 0, capacity = 0, begin = 0, filled = 0;
    for (size_t i = 0; i < table->count; i++)
        if (table->row[i].ends) {
            *ARRAY_PUSH(sequence, count, capacity) = (struct sequence){ &table->row[begin], i + 1 - begin };
            begin = i + 1;
        }
    struct line_row *row = begin == table->count ? malloc(table->count * sizeof *row) : NULL;
    if (row) {
        qsort(sequence, count, sizeof *sequence, sequence_order);
        for (size_t i = 0; i < count; filled += sequence[i++].count)
            memcpy(&row[filled], sequence[i].row, sequence[i].count * sizeof *row);
    }
    bool sorted = row && is_sorted(row, table->count);
    if (sorted) {
        free(table->row);
        table->row = row;
        table->capacity = table->count;
    } else {
        free(row);
    }
    free(sequence);
    return sorted;
}

void line_table_sort(struct line_table *table)
{
    if (!table->count)
        return;
    if (!is_sorted(table->row, table->count) && !sequences_sort(table))
        qsort(table->row, table->count, sizeof *table->row, row_order);
    if (table->count < table->capacity) { /* there may be as many tables as a large program has units */
        struct line_row *row = realloc(table->row, table->count * sizeof *row);
        table->row = row ? row : table->row;
        table->capacity = row ? table->count : table->capacity;
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
