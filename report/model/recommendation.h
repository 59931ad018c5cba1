/* SPDX-License-Identifier: MIT */
/* recommendation.h: what to change, where, why, and what that would save. Part of model.h. */
#ifndef PROFPLUG_MODEL_RECOMMENDATION_H
#define PROFPLUG_MODEL_RECOMMENDATION_H

#include <stdbool.h>
#include <stdint.h>

/* How a saving is known: by what this run measured, by a trial that slowed all else, or as what it can be at most. */
enum saving_kind { SAVING_MEASURED, SAVING_SIMULATED, SAVING_BOUND };

struct model_figure {
    const char *name; /* with its unit, as in JSON: wait_ns, bytes, calls */
    double value;
};

struct model_advice {
    const char *id;   /* RULE@FUNCTION or RULE@FILE, +LINES where that is no ID alone: the same in other runs */
    const char *rule; /* a row of advice.def, and which version of its text and limits */
    unsigned version;
    const char *title; /* "load waits for small reads" */
    uint32_t line;     /* index of the line; MODEL_NONE: unknown, then `file` and `at` may still say where */
    uint32_t function; /* index; MODEL_NONE: unknown */
    const char *file;  /* empty: unknown */
    uint32_t at;       /* line number; 0: unknown */
    const char *evidence, *action;
    const char *before, *after;  /* an example in C; NULL: none */
    const char *section;         /* of the report, that shows more */
    const char *keep;            /* a command line that keeps this build for `verify` */
    const char *verify;          /* a command line that shows whether it helped */
    const char *ruled_out[8];    /* other causes, and by what */
    uint32_t ruled_out_count;
    struct model_figure figure[12];
    uint32_t figure_count;
    enum saving_kind kind;
    double low_ns, high_ns;         /* of the run's time that would go: at least, at most */
    double low_percent, high_percent; /* the same of model.advised_ns */
    bool of_waiters;                /* it says who waits for the line: what takes the time there is told as well */
    bool of_busy;                   /* which is a server's busy time, not the run's */
    double saved_bytes;             /* memory that would not be held; 0: it is not about that */
    unsigned tried, helped; /* attempts by findings of this rule in the ledger, and how many made the program faster */
    const char *accepted;           /* why somebody accepted it as it is; NULL: nobody did */
};

#endif
