/* SPDX-License-Identifier: MIT */
/* shape.h: what functions and lines look like apart from their names and places: a hash of the flow graph, and how long
 * the machine code is. Two builds are compared by that. Must not know what is compared. */
#ifndef PROFPLUG_SHAPE_H
#define PROFPLUG_SHAPE_H

#include "merge/merge.h"

/* Sets shape and code_bytes of functions, and shape of lines. After hits_merge, which makes the lines. */
void shapes_find(struct model *model, struct names *names, const struct profile *profile);

#endif
