/* SPDX-License-Identifier: MIT */
/* output.h: the file that a verb was told to write (-o): whole, or not at all. An old file stays until the new one is
 * whole. It must not know what is written. */
#ifndef PROFPLUG_REPORT_OUTPUT_H
#define PROFPLUG_REPORT_OUTPUT_H

#include <stdio.h>

/* NULL for `path` is standard output. Returns NULL after one line. One file at a time. */
FILE *output_open(const char *path);

/* Ends the file of output_open: it gets its name now, or is removed if some of it was lost or `status` is
 * DIAG_WRONG. Returns `status`, or DIAG_WRONG after one line. Standard output stays open, and main looks at it. */
int output_end(FILE *out, int status);

#endif
