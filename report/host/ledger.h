/* SPDX-License-Identifier: MIT */
/* ledger.h: attempts to make a program faster: the text file .profplug-tries, a line each, that belongs into the
 * repository. What a finding promised, and what came of it. It must not know how runs are made. */
#ifndef PROFPLUG_LEDGER_H
#define PROFPLUG_LEDGER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "store/arena.h"

#define LEDGER_FILE ".profplug-tries"

enum attempt_verdict {
    ATTEMPT_BEGIN,   /* nothing to compare with yet */
    ATTEMPT_HELPED,  /* the whole interval is above 0 */
    ATTEMPT_NO_HELP, /* it holds 0, and nothing of what was promised, or 3 % */
    ATTEMPT_SLOWER,  /* the whole interval is below 0 */
    ATTEMPT_UNCLEAR, /* it holds both */
    ATTEMPT_BROKEN,  /* the program ended otherwise than before */
    ATTEMPTS
};
const char *attempt_name(enum attempt_verdict verdict);

struct attempt_finding {
    const char *id;                   /* RULE@PLACE */
    double low_percent, high_percent; /* what it promised */
};

struct attempt {
    unsigned number, against; /* against: the attempt it is compared with; 0: the program given by --before, or none */
    const char *when, *commit, *note, *command; /* RFC 3339; empty: unknown; the program and its arguments */
    enum attempt_verdict verdict;
    struct attempt_finding finding; /* that was tried; its ID is empty: none */
    double saved, low, high;        /* percent of the time of a run, with an interval of 95 %; NaN: not compared */
    int status;                     /* exit status of the runs; 128+N: signal N */
    uint64_t output;                /* hash of the standard output of the first run */
    double *ns;                     /* wall time of each run */
    size_t run_count;
    struct attempt_finding *listed; /* findings of the first run */
    size_t listed_count;
};

struct ledger {
    struct arena arena;
    const char *path; /* of the file, which need not be there */
    struct attempt *row;
    size_t count, capacity;
    size_t strange; /* lines that are no attempts, as those that a merge left: they stay as they are */
};

/* Reads the file of this directory or of the next one around it that has one. False after one line: it cannot be
 * read. */
bool ledger_read(struct ledger *ledger);
void ledger_free(struct ledger *ledger);

/* False after one line: nothing can be added. To be asked before the runs are made. */
bool ledger_is_writable(const struct ledger *ledger);
/* Adds an attempt at the file's end and sets its number. Others may do the same. False after one line. */
bool ledger_append(const struct ledger *ledger, struct attempt *attempt);

/* Of the attempts that show whether a rule's findings help: how many there were, and how many helped. */
struct ledger_rate {
    unsigned tried, helped;
};
struct ledger_rate ledger_rate(const struct ledger *ledger, const char *rule);

#endif
