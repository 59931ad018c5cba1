/* SPDX-License-Identifier: MIT */
/* elsewhere.h: where files of a run lie on this machine, if not where they lay when it ran. It must not know what is in
 * them. */
#ifndef PROFPLUG_ELSEWHERE_H
#define PROFPLUG_ELSEWHERE_H

#include <stdbool.h>
#include <stddef.h>

/* "OLD=NEW": paths that begin with the folder OLD lie in NEW. Of several the one with the longest OLD holds. False:
 * there is no such thing in `change`. It must live as long as files are looked for. */
bool elsewhere_map(const char *change);
/* A folder in which files that are not at their place are looked for, by as many of the last parts of
 * their path as are there. */
void elsewhere_look(const char *folder);

/* Where `path` is here: itself, or a path in `to`. `moved` (may be NULL): whether it was found elsewhere. */
#define ELSEWHERE_BYTES 4096
const char *elsewhere_find(const char *path, char to[ELSEWHERE_BYTES], bool *moved);

#endif
