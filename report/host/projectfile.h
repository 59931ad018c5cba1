/* SPDX-License-Identifier: MIT */
/* projectfile.h: files that belong to a project: they lie in this directory, in one around it, or beside .git. It must
 * not know what is in them. */
#ifndef PROFPLUG_PROJECTFILE_H
#define PROFPLUG_PROJECTFILE_H

#include <stdbool.h>

#include "store/arena.h"

/* The path of `name` in this directory or in the next one around it that has it. Where none has, its place beside
 * .git, or here. */
const char *project_file(struct arena *arena, const char *name, bool *there);

/* The commit that is checked out here, as git writes it; NULL: none is known. Git is not run. */
const char *project_commit(struct arena *arena);

#endif
