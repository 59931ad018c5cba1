/* SPDX-License-Identifier: MIT */
/* load.h: chooses the data file if none is named, and makes a model of a file. */
#ifndef PROFPLUG_NEWEST_H
#define PROFPLUG_NEWEST_H

#include "model/model.h"

/* The data file of the newest run's root process in a folder; null after one line on standard error. The
 * caller frees it. */
char *load_newest_name(const char *folder);

/* Whether a word is meant as a data file: by its name, or because it is one. */
bool load_is_data(const char *path);

/* Read, merged, analysed and judged; null after one line on standard error. Null `path`: the newest run's. */
struct model *model_open(const char *path);
/* Read and merged only: the run and its stages, without lines, estimates and findings. Takes a millisecond or two. */
struct model *model_open_brief(const char *path);
/* As model_open, of one stage and of one thread alone; NULL: of all. */
struct model *model_open_part(const char *path, const char *stage, const char *thread);

#endif
