/* SPDX-License-Identifier: MIT */
/* trial.h: a program run once, from outside: how long, how much CPU time, how it ended, what it printed. It must not know profiles. */
#ifndef PROFPLUG_TRIAL_H
#define PROFPLUG_TRIAL_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct trial {
    const char *file;        /* looked for in PATH */
    char *const *argv;
    const char *setting;     /* PROFPLUG in its environment */
    bool input_again;        /* standard input is a regular file, read from input_start on; else it is empty */
    off_t input_start;
    int output;              /* where its standard output goes: a file, emptied first */
    bool speaks;             /* its standard error is ours; else nobody's */
};

struct trial_result {
    uint64_t wall_ns, cpu_ns;    /* cpu_ns: user and system, of its children that it waited for, too */
    int status;                  /* as wait() gives it */
};

/* From here on SIGINT, SIGTERM and SIGHUP end the program that runs, and then no more are started: trial_ended says which came, 0 for none. */
void trial_begin(void);
extern volatile sig_atomic_t trial_ended;

/* 0; or DIAG_WRONG after one line where it cannot be started. */
int trial_run(const struct trial *trial, struct trial_result *result);

#endif
