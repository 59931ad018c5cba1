/* SPDX-License-Identifier: MIT */
/* shortname.h: functions' names as a person says them. Knows nothing of profiles. */
#ifndef PROFPLUG_SHORTNAME_H
#define PROFPLUG_SHORTNAME_H

#include <stdbool.h>

#include "store/arena.h"

/* A name without its result type, parameters, template arguments ("std::map<...>::operator[]") and what GCC appends to
 * clones. A name that is neither C++ nor a clone stays as it is. Lives in the arena. */
const char *name_short(struct arena *arena, const char *name);

/* Brackets of template arguments ('<') and parameters ('(') that name_short leaves out of a name, in order. Returns how
 * many there are, `most` at most. */
struct name_bracket {
    char kind;
    const char *open, *end; /* end: past the closing one */
};
size_t name_brackets(const char *name, struct name_bracket *bracket, size_t most);

/* `text` in at most `columns` of a terminal, "..." where its middle was. */
const char *name_cut(struct arena *arena, const char *text, int columns);

/* A function's short name in at most `columns`: outer scopes go first, then the middle. */
const char *name_fit(struct arena *arena, const char *name, int columns);
const char *label_fit(struct arena *arena, const char *label, int columns); /* the same of a short name */

/* Whether somebody may mean `name` by `said`: as it is or short; with its last scopes only. */
enum name_match { NAME_OTHER, NAME_PARTLY, NAME_WHOLLY };
enum name_match name_match(const char *name, const char *said);

#endif
