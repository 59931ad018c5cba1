/* SPDX-License-Identifier: MIT */
/* series.h: what runs of a history tell over time: which of them can be compared, the series of each stage and
 * function, its changes and spikes, how its cost grows with the size of the input. It must not know where runs come
 * from. */
#ifndef PROFPLUG_SERIES_H
#define PROFPLUG_SERIES_H

#include "host/changepoint.h"
#include "host/history.h"

enum { SERIES_CHANGES = 8 };

struct series_growth {
    size_t sizes;               /* different sizes of input; 0: not enough to tell */
    uint64_t least, most;       /* the smallest and the largest, in bytes */
    double exponent, low, high; /* the cost grows as size to this power, with an interval of 95 % */
};

struct series {
    const char *kind, *name; /* kind: run, stage or function */
    bool is_size;            /* bytes; else nanoseconds */
    double *value;
    const struct history_run **run; /* by value */
    size_t count;
    struct changepoint change[SERIES_CHANGES]; /* the oldest first */
    uint64_t calls[SERIES_CHANGES][2];         /* median of entries or calls before and after; 0: not counted */
    size_t change_count;
    bool *unlike; /* by value: far from the others of its level */
    size_t unlike_count;
    struct series_growth growth;
};

enum series_reason { SERIES_FAILED, SERIES_MACHINE, SERIES_OPTIONS, SERIES_ARGUMENTS, SERIES_SIZE, SERIES_REASONS };

struct series_set {
    const struct history_run *newest; /* the run with which the others are compared; NULL: there is none */
    size_t used, left_out[SERIES_REASONS];
    struct series *series; /* of the run itself, then the largest first */
    size_t count, capacity;
    size_t more;  /* smaller ones, beyond `top` */
    double level; /* of the test for changes, of each series */
};

struct series_choice {
    const char *program; /* NULL: that of the newest run */
    const char *name;    /* only what is called so; NULL: all */
    size_t top;          /* most series of stages and functions; 0: all */
};

void series_make(struct series_set *set, const struct history_run *run, size_t count,
                 const struct series_choice *choice);
void series_free(struct series_set *set);

/* Whether somebody may mean a run's program by `said`: its path or the last part of it. */
bool series_is_program(const struct history_run *run, const char *said);

#endif
