/* SPDX-License-Identifier: MIT */
/* trial.h: runs a program once and measures from outside: wall and CPU time, status, output. It must not know
 * profiles. */
#ifndef PROFPLUG_TRIAL_H
#define PROFPLUG_TRIAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct trial {
    const char *file; /* looked for in PATH */
    char *const *argv;
    const char *setting; /* PROFPLUG in its environment */
    const char *preload, *causal; /* a library before all others, and PROFPLUG_CAUSAL for it; NULL: none */
    bool input_again;    /* standard input is a regular file, read from input_start; else it is empty */
    off_t input_start;
    int output;  /* file that receives its standard output, emptied first */
    bool speaks; /* its standard error is shown; else it is discarded */
};

struct trial_result {
    uint64_t wall_ns, cpu_ns; /* cpu_ns: user and system time, including children it waited for */
    int status;               /* as wait() gives it */
};

/* From here on SIGINT, SIGTERM and SIGHUP are passed to the running program, and no further run starts.
 * trial_ended is the signal's number, or 0. */
void trial_begin(void);
extern volatile sig_atomic_t trial_ended;

/* Before runs that take long: whether a file can be written there. Returns 0, or DIAG_WRONG after one line. */
int trial_output_check(const char *path);

/* Prints the line about a program that exec could not start, and returns DIAG_WRONG. */
int trial_refuse(const char *file, int number);

/* Returns 0, or DIAG_WRONG after one line if the program cannot be started. */
int trial_run(const struct trial *trial, struct trial_result *result);

#endif
