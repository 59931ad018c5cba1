/* SPDX-License-Identifier: MIT */
/* gather.h: makes one data file of many. What they have in common is added up; where they differ is told. Files are
 * taken one after the other, so memory grows with what is different in them, not with their number. It must not know
 * symbols, estimates or what is shown. */
#ifndef PROFPLUG_GATHER_H
#define PROFPLUG_GATHER_H

#include "read/profile.h"

struct gather;

/* files: the headers of all, in order, which tell where each is placed in time. They must live as long. */
struct gather *gather_begin(enum pp_merge_as as, const struct pp_header *files, size_t count);
/* False: the file is of another program; `error` says so, without its name. */
bool gather_add(struct gather *gather, const struct profile *profile, char error[READER_ERROR_BYTES]);
/* Writes all to a new file, without spreads. False: errno. */
bool gather_write(struct gather *gather, const char *path);

/* Adds the spreads to that file. of_sample: for each sample in the file's order, the number of its function, or
 * UINT32_MAX. scale: CPU time for each ns that samples represent. False: errno. */
struct gather_function {
    const char *name, *file;
};
bool gather_tell(struct gather *gather, const uint32_t *of_sample, size_t samples,
                 const struct gather_function *function, size_t functions, double scale);
void gather_free(struct gather *gather);

#endif
