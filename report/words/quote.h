/* SPDX-License-Identifier: MIT */
/* quote.h: text of others, such as names and paths, as it may stand in what the tool writes. It knows no document. */
#ifndef PROFPLUG_QUOTE_H
#define PROFPLUG_QUOTE_H

#include <stdio.h>

#include "store/arena.h"

/* A copy for people, on one line of valid UTF-8: what would steer the terminal or change the order of writing is
 * escaped visibly ("\x1b", "\u202e"). Quoting again changes nothing. */
const char *quote_plain(struct arena *arena, const char *text);
void quote_print(FILE *out, const char *text); /* the same, printed */

/* A word of a shell command, quoted where necessary. */
const char *quote_shell(struct arena *arena, const char *text);

/* A copy with invalid UTF-8 replaced by question marks, so that every JSON reader accepts it. The caller frees it;
 * NULL without memory. */
char *quote_clean(const char *text);

/* Writes `text` in quotation marks, as a string of JSON that has the same value. */
void quote_json(FILE *out, const char *text);

/* The same of a sentence, escaped as for people. */
void quote_prose(FILE *out, const char *text);

/* Writes a JSON document of valid UTF-8, of the same value, whose strings steer no terminal. */
void quote_document(FILE *out, const char *json);

#endif
