/* SPDX-License-Identifier: MIT */
/* quote.h: text in JSON. It knows no document. */
#ifndef PROFPLUG_QUOTE_H
#define PROFPLUG_QUOTE_H

#include <stdio.h>

/* A copy with invalid UTF-8 replaced by question marks, so that every JSON reader accepts it. The caller frees it;
 * NULL without memory. */
char *quote_clean(const char *text);

/* Writes `text` in quotation marks, escaped. */
void quote_json(FILE *out, const char *text);

#endif
