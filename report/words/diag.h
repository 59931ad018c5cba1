/* SPDX-License-Identifier: MIT */
/* diag.h: how the tool reports that something is wrong. One line each, on standard error unless a sink is set:
 *     profplug: FILE or OPTION: what is wrong; what was expected
 * It must not know commands, files or formats. */
#ifndef PROFPLUG_REPORT_DIAG_H
#define PROFPLUG_REPORT_DIAG_H

#include <stdio.h>

enum diag_exit {
    DIAG_DONE = 0,
    DIAG_FOUND = 1, /* a check found something */
    DIAG_WRONG = 2, /* wrong usage or unreadable input */
};

/* Receives one finished line without its newline. */
typedef void (*diag_sink)(void *context, const char *line);

/* Sends lines to `sink` from now on; a NULL sink is standard error again. For tests and embedders. */
void diag_redirect(diag_sink sink, void *context);

/* Prints one line and returns DIAG_WRONG, so that a command ends with `return diag_error(path, "...")`. `where` names
 * the file (path, or path:offset) or the option; NULL or empty leaves it out. Newlines in the text become blanks. */
int diag_error(const char *where, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Prints a warning: the command continues. The line begins `profplug: WHERE: warning: `. */
void diag_warning(const char *where, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Ends what was written to `out`: a file is closed, standard output stays open. 0: all of it was written. Else
 * something was lost, now or in the middle, and errno says why: EPIPE where the reader of a pipe has gone, EIO where
 * the reason is not known any more. */
int diag_finish(FILE *out);

#endif
