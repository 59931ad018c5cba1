/* SPDX-License-Identifier: MIT */
/* children.h: the data files of programs that the process of a data file executed. */
#ifndef PROFPLUG_CHILDREN_H
#define PROFPLUG_CHILDREN_H

#include "model/model.h"

/* Adds data files in the same folder that come from the run: by fork and exec, posix_spawn, system, or its own exec.
 * Forked children are known already, because the runtime recorded them. */
void children_find(struct model *model);

#endif
