/* SPDX-License-Identifier: MIT */
/* changes.h: what a comparison of two programs found, for a person: on a terminal, and as markdown. It must not know
 * how it was found. */
#ifndef PROFPLUG_CHANGES_H
#define PROFPLUG_CHANGES_H

#include <stdio.h>

#include "difference/difference.h"
#include "show/screen.h"

void changes_text(FILE *out, const struct difference *difference, const struct view *view);
void changes_markdown(FILE *out, const struct difference *difference, const struct view *view);

#endif
