/* SPDX-License-Identifier: MIT */
/* table.c: see table.h. */
#include "table.h"

#include <string.h>

static size_t hash(const char *word)
{
    size_t sum = 5381;
    for (; *word; word++)
        sum = sum * 33 + (unsigned char)*word;
    return sum;
}

static size_t slot_find(const struct table *table, const char *word)
{
    size_t at = hash(word) % SLOTS;
    while (table->word[at] && strcmp(table->word[at], word) != 0)
        at = (at + 1) % SLOTS;
    return at;
}

void table_add(struct table *table, const char *word)
{
    size_t at = slot_find(table, word);
    if (!table->word[at]) {
        table->word[at] = word;
        table->different++;
    }
    table->seen[at]++;
}
