/* SPDX-License-Identifier: MIT */
/* document.h: texts of others within XML and as references. It must not know what document it is. */
#ifndef PROFPLUG_DOCUMENT_H
#define PROFPLUG_DOCUMENT_H

#include <stddef.h>
#include <stdio.h>

void xml_text(FILE *out, const char *text);      /* without what steers a terminal */
void uri_print(FILE *out, const char *path);     /* in quotation marks */
void markdown_text(FILE *out, const char *text); /* in a cell of a table */
/* A document of JUnit around `tests` test cases, of which each has a name, a class name and time="0". */
void junit_begin(FILE *out, size_t tests, size_t failures);
void junit_end(FILE *out);
/* What GitHub and GitLab know a result by from run to run: FNV-1a of both, 16 digits in quotation marks. */
void fingerprint_print(FILE *out, const char *rule, const char *key);

#endif
