/* SPDX-License-Identifier: MIT */
/* words.c: `words COUNT`: makes a text of COUNT words and counts how often each occurs. */
#include "table.h"

#include <profplug.h>
#include <stdio.h>
#include <stdlib.h>

PROFPLUG_STAGE("make", "custom") static void text_make(char *text, size_t count)
{
    unsigned state = 7;
    for (size_t i = 0; i < count; i++) {
        state = state * 1664525u + 1013904223u;
        sprintf(text + i * WORD_BYTES, "w%u", (state >> 8) % WORDS);
    }
}

PROFPLUG_STAGE("count", "compute") static void words_count(struct table *table, const char *text, size_t count)
{
    for (size_t i = 0; i < count; i++)
        table_add(table, text + i * WORD_BYTES);
}

int main(int argc, char **argv)
{
    static struct table table;
    size_t count = argc > 1 ? strtoul(argv[1], NULL, 10) : 100000;
    char *text = calloc(count, WORD_BYTES);
    text_make(text, count);
    words_count(&table, text, count);
    printf("%zu words, %zu different\n", count, table.different);
    free(text);
    return 0;
}
