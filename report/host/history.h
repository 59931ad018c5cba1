/* SPDX-License-Identifier: MIT */
/* history.h: runs over time in one SQLite file. history.c alone knows SQLite; it must not know how a run is read or
 * shown. Every run is one transaction, so that a kill loses at most that one, and writers wait for each other. */
#ifndef PROFPLUG_HISTORY_H
#define PROFPLUG_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/arena.h"

#define HISTORY_FILE "profplug-history.sqlite"

struct history_figure {
    const char *kind; /* stage or function */
    const char *name; /* the same in other runs of the program */
    double ns;        /* wall time of a stage, CPU time of a function */
    uint64_t count;   /* entries or calls; 0: not counted */
};

struct history_run {
    int64_t id;
    uint64_t start_ns; /* since 1970 */
    uint32_t pid;
    const char *program, *arguments, *host, *cpu, *commit, *options, *path; /* empty: unknown */
    const char *end;                                                        /* "exit 0"; empty: unknown */
    bool failed;
    uint64_t wall_ns, cpu_ns, peak_bytes, input_bytes; /* 0: unknown */
    struct history_figure *figure;
    size_t figure_count, figure_capacity;
};

struct history;
/* NULL after one line on standard error. A file that is written is made if it is not there. */
struct history *history_open(const char *path, bool written);
void history_close(struct history *history);

/* Adds a run; *known: it was there before and stays as it is. False after one line. */
bool history_add(struct history *history, const struct history_run *run, bool *known);

/* All runs in the order of their start, with their figures. NULL after one line. Texts live in `arena`; the caller
 * frees the runs. */
struct history_run *history_read(struct history *history, struct arena *arena, size_t *count);
void history_runs_free(struct history_run *run, size_t count);

#endif
