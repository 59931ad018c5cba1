/* SPDX-License-Identifier: MIT */
/* runfile.h: the data files that a run left behind, as `profplug run` needs them: where they are, how the process ended, why
 * there are none. Only headers are read; what is in the files is the reader's business. */
#ifndef PROFPLUG_REPORT_RUNFILE_H
#define PROFPLUG_REPORT_RUNFILE_H

#include "host/options.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct runfile_set {
    char **paths;            /* the root process's first */
    uint64_t refused;        /* pieces of them that found no room, on the disk or below max-file */
    size_t count;
};

/* Looks in the folder that the options' output pattern names, at files born since `begin_epoch_ns`: those of process `pid`,
 * of its children, or, if the profiled process was a grandchild, whatever was written meanwhile. */
void runfile_find(struct runfile_set *found, const struct options *options, const char *program, pid_t pid, uint64_t begin_epoch_ns);
void runfile_free(struct runfile_set *found);

/* If the file is process `pid`'s and its end was not recorded (the process was killed), records `wait_status` and
 * `end_ns` (CLOCK_MONOTONIC) in its header. Any other file stays as it is. */
void runfile_close(const char *path, pid_t pid, uint64_t end_ns, int wait_status);

/* Why `program` wrote nothing. One sentence without an end. */
void runfile_absence(const char *program, const struct options *options, char *why, size_t size);

#endif
