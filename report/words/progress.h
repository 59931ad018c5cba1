/* SPDX-License-Identifier: MIT */
/* progress.h: how far a long work of the tool is: one line on standard error, if that is a terminal, from a second on.
 * It goes away at the end. Files and pipes get nothing. It must not know what the work is. */
#ifndef PROFPLUG_PROGRESS_H
#define PROFPLUG_PROGRESS_H

#include <stddef.h>

/* `what`: "reading files"; must live until the end. `most`: how many steps there are. A work within another belongs to
 * the outer one, which stays as it is. */
void progress_begin(const char *what, size_t most);
void progress_step(size_t done); /* of the innermost work */
void progress_end(void);
/* Removes the line, if there is one, because another one will be written. It comes back with a later step. */
void progress_hide(void);

#endif
