/* SPDX-License-Identifier: MIT */
/* experiment.h: one run of a program in which all threads but those in a stage are slowed, so that the stage seems
 * faster by some percent. It must not know which stages are worth it, nor how the result is shown. */
#ifndef PROFPLUG_EXPERIMENT_H
#define PROFPLUG_EXPERIMENT_H

#include "host/trial.h"

struct experiment {
    const char *target; /* name of a stage, loop or scope; NULL: nothing is slowed */
    unsigned percent;
    const char *progress; /* the loop whose time is asked for; NULL: the run's */
};

struct experiment_result {
    struct trial_result run;
    /* what the loop or the run took, the part of it that others were slowed by, and the difference */
    uint64_t took_ns, delay_ns, virtual_ns;
    uint64_t target_ns;       /* the target's, over all threads, by looking */
    uint64_t looks;
    uint64_t refused_threads; /* that were not slowed */
    unsigned processes;       /* that had stages */
    char data[64];            /* the data file of the process that was judged */
};

/* The path of the library that does it. Returns 0, or DIAG_WRONG after one line. */
int experiment_library(char *path, size_t size);

/* Runs it with its files in `folder`, which is empty or is not there yet. `trial` says all but the setting, to which
 * `setting` is prepended. Returns 0, or DIAG_WRONG after one line. A process without a data file is no result. */
int experiment_run(const struct experiment *experiment, struct trial trial, const char *setting, const char *library,
                   const char *folder, struct experiment_result *result);
#endif
