/* SPDX-License-Identifier: MIT */
/* columns.h: how wide a text is on a terminal. */
#ifndef PROFPLUG_COLUMNS_H
#define PROFPLUG_COLUMNS_H

/* Columns that `text` takes: a UTF-8 sequence takes one. */
int text_columns(const char *text);
/* Bytes of `text` that fill at most `columns`. */
int bytes_within(const char *text, int columns);

#endif
