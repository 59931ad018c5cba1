/* SPDX-License-Identifier: MIT */
/* passes.h: how often a line opens one file, and what is done with it in between. For the rules of files that are
 * opened again. */
#ifndef PROFPLUG_ADVICE_PASSES_H
#define PROFPLUG_ADVICE_PASSES_H

#include "advice/advice.h"

struct passes {
    struct advice_use use;      /* the line's, of the files that it opened twice or more, with the one it opened most */
    double opens, targets;      /* of those: opens that succeeded, and how many files they opened */
    double again;               /* opens of the file that it opened most */
    double pass_bytes;          /* read of that file for each open of it, wherever that was */
    double written_bytes;       /* to that file */
    struct model_operations around; /* those opens, and as many closes of what they opened */
};

/* False: the line does not open the same file again and again. */
bool passes_of(const struct advice *advice, const struct advice_use *use, struct passes *passes);

/* Adds a part of the time of calls. */
void passes_add(struct model_operations *to, struct model_operations more, double part);

/* Whether the kernel makes that file as it is read (/dev, /proc, /sys), so that it need not be the same each time. */
bool passes_made(const struct advice *advice, const struct advice_use *use);

/* What the program wrote to the use's file, in bytes. */
double passes_written(const struct advice *advice, const struct advice_use *use);

/* Whether the file may have changed between the passes: the program wrote to it, and not by a function that opened it a
 * few times only and calls no pass. */
bool passes_change(const struct advice *advice, const struct advice_use *use, const struct passes *passes);

/* The CPU time and waits of the function that the line is in, with what it calls; 0: it is not known. */
double passes_function_ns(const struct advice *advice, const struct advice_use *use);

/* The name of the file that a line used most; without its folder, unless the kernel makes the file. */
const char *passes_file(const struct advice *advice, const struct advice_use *use);

#endif
