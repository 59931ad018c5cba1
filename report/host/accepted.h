/* SPDX-License-Identifier: MIT */
/* accepted.h: findings that somebody accepted as they are: the text file .profplug-accepted, a line each. It must not
 * know what a finding is. */
#ifndef PROFPLUG_ACCEPTED_H
#define PROFPLUG_ACCEPTED_H

#include <stdbool.h>
#include <stddef.h>

#include "store/arena.h"

#define ACCEPTED_FILE ".profplug-accepted"

struct acceptance {
    const char *id, *why;
};
struct accepted {
    struct arena arena;
    const char *path;    /* of the file, which need not be there */
    const char *remarks; /* its remarks, as lines */
    struct acceptance *row;
    size_t count, capacity;
};

/* Reads the file of this directory or of the next one around it that has one. Where there is none, the path is in the
 * directory of .git, or here. False after one line on standard error: it cannot be read. */
bool accepted_read(struct accepted *accepted);
void accepted_free(struct accepted *accepted);

const char *accepted_why(const struct accepted *accepted, const char *id); /* NULL: it is not among them */
/* Replaces the reason of an ID, or adds the ID. */
void accepted_put(struct accepted *accepted, const char *id, const char *why);
bool accepted_remove(struct accepted *accepted, const char *id); /* false: it was not among them */
/* Writes a new file in place of the old one. False after one line on standard error. */
bool accepted_write(const struct accepted *accepted);

#endif
