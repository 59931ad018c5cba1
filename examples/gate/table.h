/* SPDX-License-Identifier: MIT */
/* table.h: how often words occur. */
#ifndef TABLE_H
#define TABLE_H

#include <stddef.h>

enum { WORD_BYTES = 8, WORDS = 1000, SLOTS = 4096 };

struct table {
    const char *word[SLOTS];
    size_t seen[SLOTS], different;
};

void table_add(struct table *table, const char *word);

#endif
