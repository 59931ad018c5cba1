/* SPDX-License-Identifier: MIT */
/* linetable.h: the rows of one unit's line table, sorted, and the row of an address. Must not know DWARF. */
#ifndef PROFPLUG_LINETABLE_H
#define PROFPLUG_LINETABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct line_row {
    uint64_t address;
    uint32_t file, line;
    uint32_t order; /* index in the table as it was added; set by line_table_add */
    uint16_t column;
    bool ends; /* first address after a sequence: describes no code itself */
};

struct line_table {
    struct line_row *row;
    size_t count, capacity, sequence;
}; /* zeros are an empty table */

void line_table_add(struct line_table *table, const struct line_row *row);
/* Ends the sequence of rows added since the last call. Drops it unless `keep`. */
void line_table_end(struct line_table *table, bool keep);
void line_table_sort(struct line_table *table);
/* The row whose code holds the address, or NULL. Of several rows at one address the last one that was added counts. */
const struct line_row *line_table_find(const struct line_table *table, uint64_t address);
void line_table_close(struct line_table *table);

#endif
