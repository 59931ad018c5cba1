/* SPDX-License-Identifier: MIT */
/* runfile.h: the data files that a run left behind, as `profplug run` needs them: where they are, how the process
 * ended, why there are none. Only headers are read; what is in the files is the reader's business. */
#ifndef PROFPLUG_REPORT_RUNFILE_H
#define PROFPLUG_REPORT_RUNFILE_H

#include "host/options.h"

#include <profplug/abi/total.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

struct runfile_set {
    char **paths;            /* the first is the root process's */
    uint64_t refused;        /* pieces that found no room on the disk or below max-file */
    uint64_t refused_memory; /* pieces of memory that the system or a limit refused */
    size_t count;
};

/* Finds files created since `begin_epoch_ns` in the folder of the output pattern: those of process `pid` and its
 * children. If the profiled process was a grandchild, all that were written in that time. */
void runfile_find(struct runfile_set *found, const struct options *options, const char *program, pid_t pid,
                  uint64_t begin_epoch_ns);
void runfile_free(struct runfile_set *found);

/* How a process ended, by the kernel. */
struct runfile_end {
    pid_t pid;
    int status;          /* as wait gives it */
    uint64_t end_ns;     /* CLOCK_MONOTONIC */
    uint64_t cpu_ns;     /* of the process alone, from its birth; 0: not known */
    struct rusage usage; /* with the processes that it waited for */
};

/* If the file is the process's and its end was not recorded (the process was killed), records that in its header. Any
 * other file stays as it is. */
void runfile_close(const char *path, const struct runfile_end *end);
uint64_t timeval_ns(struct timeval value);

/* The count that is kept in the folder of the output pattern. With `begin` it is removed, so that the run counts from
 * zero. All is 0 where there is none, or the file is no such count, which then stays. */
struct pp_total runfile_total(const struct options *options, const char *program, pid_t pid, int begin);

/* The CPU time of process `pid` itself, as the report reads it from these files; 0 if they do not tell it. */
uint64_t runfile_cpu_ns(const struct runfile_set *found, pid_t pid);

/* Says why `program` wrote nothing, in one sentence without a full stop. */
void runfile_absence(const char *program, const struct options *options, char *why, size_t size);

/* The same of a run that was told to write in `folder`, as one line that ends with what was expected. Returns
 * DIAG_WRONG. */
int runfile_refuse(const char *program, const char *folder, const char *expected);

/* Whether `program` is instrumented, and no file can be where the options say: no such folder, no right, no room. */
bool runfile_is_nowhere(const char *program, const struct options *options);

#endif
