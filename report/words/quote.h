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

/* Writes `text` in quotation marks, as a string of JSON that has the same value. */
void quote_json(FILE *out, const char *text);

/* The same of a sentence, escaped as for people. */
void quote_prose(FILE *out, const char *text);

/* Writes a JSON document of the same value whose strings steer no terminal. It may hold bytes that are no UTF-8: each
 * is written as the lone surrogate \udc80 to \udcff, as Python has it in names of files. */
void quote_document(FILE *out, const char *json);

#endif
