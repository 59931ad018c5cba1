/* SPDX-License-Identifier: MIT */
/* children.h: the data files of programs that the process of a data file executed. */
#ifndef PROFPLUG_CHILDREN_H
#define PROFPLUG_CHILDREN_H

#include "model/model.h"

#include <profplug/abi/total.h>

/* Adds data files in the same folder that come from the run: by fork and exec, posix_spawn, system, its own exec, or by
 * a process that came so. Forked children are known already, because the runtime recorded them. */
void children_find(struct model *model);
/* The count of a folder's processes that were not recorded. All is 0 where there is none, or a file of somebody else by
 * that name. */
struct pp_total children_total(const char *path);

#endif
