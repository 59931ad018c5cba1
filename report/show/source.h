/* SPDX-License-Identifier: MIT */
/* source.h: lines of source files. Knows nothing of profiles. */
#ifndef PROFPLUG_SOURCE_H
#define PROFPLUG_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct source;

/* The file's lines, read once. NULL if it cannot be read, is larger than 64 MB or is not a regular file. Owned by
 * the cache until source_forget. */
const struct source *source_get(const char *path);
size_t source_line_count(const struct source *source);
/* Line `number` (from 1) without its newline; if `trimmed`, without leading blanks and with a blank for each tab, as
 * it stands in a table. NULL beyond the end. */
const char *source_line(const struct source *source, size_t number, bool trimmed);
/* The byte of the trimmed line at that column, of which the first is 1; negative: it is not in it, or 0. */
int source_offset(const struct source *source, size_t number, uint32_t column);
/* Time of the last change, ns since the epoch; 0: unknown. */
uint64_t source_changed_ns(const struct source *source);
void source_forget(void);

#endif
