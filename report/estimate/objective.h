/* SPDX-License-Identifier: MIT */
/* objective.h: an objective for a stage ("preprocess p95<50ms"): reads it and compares a run with it. Must not know
 * formats or files. */
#ifndef PROFPLUG_OBJECTIVE_H
#define PROFPLUG_OBJECTIVE_H

#include "model/model.h"

enum objective_metric {
    OBJECTIVE_PERCENTILE,
    OBJECTIVE_MEAN,
    OBJECTIVE_MIN,
    OBJECTIVE_MAX,
    OBJECTIVE_CALLS,
    OBJECTIVE_ITERATIONS,
    OBJECTIVE_THROUGHPUT,
    OBJECTIVE_COUNTER
};
enum objective_unit { OBJECTIVE_NS, OBJECTIVE_COUNT, OBJECTIVE_PER_SECOND };

struct objective {
    char text[256];  /* as it was given */
    char stage[192]; /* name, or key (outer/inner) */
    char metric_name[160];
    char counter[128]; /* COUNTER: its name */
    char field[8];     /* COUNTER: count, sum, mean, min or max */
    enum objective_metric metric;
    enum objective_unit unit;
    double fraction;  /* PERCENTILE: 0.95 */
    char relation[3]; /* < <= > >= */
    double limit;     /* ns, or in the objective's unit */
};

/* False: `why` says what is wrong and what was expected, as one sentence without an end. */
bool objective_parse(struct objective *objective, const char *text, char why[256]);

struct verdict {
    const struct objective *objective;
    const char *run; /* path of the data file */
    bool met;
    double value;            /* in the objective's unit */
    double low, high;        /* bounds of the value if a histogram gives no more; otherwise equal */
    uint64_t entries, timed; /* number of values: entries, iterations of a loop, or values of a counter */
    const char *of;          /* "entries", "iterations", "values" */
    const char *file;        /* the stage's file, empty if unknown */
    uint32_t line;
};
/* Compares all stages of that name together, or a loop's iterations. False: there is nothing to compare with, and `why`
 * is as above. */
bool objective_judge(struct verdict *verdict, const struct objective *objective, const struct model *model,
                     char why[256]);

#endif
