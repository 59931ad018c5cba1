/* SPDX-License-Identifier: MIT */
/* children.h: the data files of programs that the process of a data file executed. */
#ifndef PROFPLUG_CHILDREN_H
#define PROFPLUG_CHILDREN_H

#include "model/model.h"

/* Adds to the run's children what stands beside its data file and came of it: by fork and exec, posix_spawn, system, and what it became itself
 * by exec. A forked child is known already: the runtime wrote it down. */
void children_find(struct model *model);

#endif
