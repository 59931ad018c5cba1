/* SPDX-License-Identifier: MIT */
/* excerpt.h: a part of a line of source, where all of it has no room. It knows no profile. */
#ifndef PROFPLUG_EXCERPT_H
#define PROFPLUG_EXCERPT_H

#include "store/arena.h"

/* `text` in at most `columns` of a terminal. If it is longer, a part that has the byte at `at` (negative: not known),
 * from the begin of its statement on where that is near; "..." stands for what is left out, and no word is cut that
 * fits by itself. */
const char *source_excerpt(struct arena *arena, const char *text, int at, int columns);

#endif
