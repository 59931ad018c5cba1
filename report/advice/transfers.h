/* SPDX-License-Identifier: MIT */
/* transfers.h: many small transfers, one after the other, that could be few large ones. For the rules of reads and
 * writes. */
#ifndef PROFPLUG_ADVICE_TRANSFERS_H
#define PROFPLUG_ADVICE_TRANSFERS_H

#include "advice/advice.h"

/* Whether the line makes many small transfers of this kind with files. Then: what doing them in large pieces saves. */
bool transfers_are_small(const struct advice *advice, const struct advice_use *use, double *low_ns, double *high_ns);
struct transfers { /* those of a function's lines to one file, which one remedy saves */
    struct model_operations sum;
    uint32_t line; /* that of most time */
    size_t lines;
    double low_ns, high_ns;
    uint64_t most_ns;
};
typedef bool transfers_are(const struct advice *advice, const struct advice_use *use, double *low_ns, double *high_ns);
/* False: none at the use's line, or a line before it stands for the function and file. */
bool transfers_join(const struct advice *advice, size_t use, transfers_are *are, struct transfers *joined);
/* The evidence: how many, how large, how long, and at how many lines, in the use of whichever was joined. */
void transfers_tell_joined(struct advice *advice, struct model_advice *to, const struct advice_use *use,
                           const struct transfers *joined, const char *noun);
/* The evidence: how many, how large, how long, and the CPU time that LINES has for the use's line, if it has one. */
void transfers_tell(struct advice *advice, struct model_advice *to, const struct advice_use *use, const char *noun);

/* Where they are made by a FILE that has no buffer: the action is to give it one. Samples must name stdio's function.
 * But for reads of files the compiler must name a call that took a buffer away, too: others may flush, or get their
 * buffers filled by few bytes. False: nothing is said of it. */
bool transfers_buffer(struct advice *advice, struct model_advice *to, const struct advice_use *use);

#endif
