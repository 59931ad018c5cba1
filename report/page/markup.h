/* SPDX-License-Identifier: MIT */
/* markup.h: text of others in HTML. Nothing that a program, a file or a user named can become markup or change the
 * order of writing. */
#ifndef PROFPLUG_MARKUP_H
#define PROFPLUG_MARKUP_H

#include <stdio.h>

void markup_text(FILE *out, const char *text);   /* also between quotation marks; escaped for people, on one line */
void markup_source(FILE *out, const char *text); /* the same, but tabs stay */
/* The format's %s are texts of others; %d, %u, %zu, %.Nf and %% as in printf; all else of it is markup. */
void markup_print(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
