/* SPDX-License-Identifier: MIT */
/* quote.h: text as JSON carries it. Knows no document. */
#ifndef PROFPLUG_QUOTE_H
#define PROFPLUG_QUOTE_H

#include <stdio.h>

/* Names come from foreign files: bytes that are no UTF-8 become question marks, so that every reader takes the document.
 * The caller frees it; null without memory. */
char *quote_clean(const char *text);

/* Between quotation marks, with what must be escaped. */
void quote_json(FILE *out, const char *text);

#endif
