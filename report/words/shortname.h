/* SPDX-License-Identifier: MIT */
/* shortname.h: short names of functions. It knows nothing of profiles. */
#ifndef PROFPLUG_NICKNAME_H
#define PROFPLUG_NICKNAME_H

#include <stdbool.h>

#include "store/arena.h"

/* Without result type, parameters, template arguments ("std::map<...>::operator[]") and what GCC appends to clones. A
 * name that is neither C++ nor a clone is itself. Lives in the arena. */
const char *name_short(struct arena *arena, const char *name);

/* `text` cut to `columns` of a terminal, with "..." for its middle. */
const char *name_cut(struct arena *arena, const char *text, int columns);

/* A function's short name cut to `columns`: outer scopes go first, then the middle. */
const char *name_fit(struct arena *arena, const char *name, int columns);

/* Whether `said` can mean `name`: wholly (as it is or short), or by its last scopes. */
enum name_match { NAME_OTHER, NAME_PARTLY, NAME_WHOLLY };
enum name_match name_match(const char *name, const char *said);

#endif
