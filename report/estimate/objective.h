/* SPDX-License-Identifier: MIT */
/* objective.h: what somebody asks of a stage ("preprocess p95<50ms"), read, and held against a run. Must not know
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
    char counter[128]; /* COUNTER: of which */
    char field[8];     /* and what of it: count, sum, mean, min, max */
    enum objective_metric metric;
    enum objective_unit unit;
    double fraction;  /* PERCENTILE: 0.95 */
    char relation[3]; /* < <= > >= */
    double limit;     /* ns, or as the unit is */
};

/* False: `why` says what is wrong and what was expected, as one sentence without an end. */
bool objective_parse(struct objective *objective, const char *text, char why[256]);

struct verdict {
    const struct objective *objective;
    const char *run; /* path of the data file */
    bool met;
    double value;            /* in the objective's unit */
    double low, high;        /* between which it lies, where a histogram tells no more; else equal */
    uint64_t entries, timed; /* what it is of: entries, a loop's iterations, or times that a counter was said */
    const char *of;          /* "entries", "iterations", "values" */
    const char *file;        /* the stage's, empty if unknown */
    uint32_t line;
};
/* All stages of that name together; of a loop its iterations. False: there is nothing to hold it against, `why` as
 * above. */
bool objective_judge(struct verdict *verdict, const struct objective *objective, const struct model *model,
                     char why[256]);

#endif
