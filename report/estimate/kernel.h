/* SPDX-License-Identifier: MIT */
/* kernel.h: kernel time at the lines that caused it. It must not know lines' names, nor how it is shown. */
#ifndef PROFPLUG_KERNEL_H
#define PROFPLUG_KERNEL_H

#include "merge/locations.h"
#include "model/model.h"

/* Gives each sample its `system`, and the coverage its placed_ns. After paths_descend, before operations_sum. */
void kernel_place(struct model *model, const struct locations *where);
/* What the kernel took by halves beside a sample, beyond what calls and page faults may have taken. */
double kernel_unknown(const struct model *model, const struct model_sample *sample);
/* The variance of the kernel's time of each sample's line in its node, which the node's clock does not tell apart from
 * that of the other lines there. The caller frees it. */
double *kernel_lines(const struct model *model, const struct locations *where);
/* Kernel time between samples becomes so many times as much. Calls have theirs by clocks. */
void kernel_stretch(struct model *model, double times);
/* Takes kernel time off all lines alike, so that no more than most_ns stands there. */
void kernel_limit(struct model *model, double most_ns);
/* User time, kernel time at lines and the profiler's own were found apart, and are off_ns less than the CPU time. If
 * that may be chance, each has its part by its variance: lines get theirs here, and the user time's is returned.
 * kernel_ns: all that is not user time. */
double kernel_settle(struct model *model, double off_ns, double user_variance, double kernel_ns);

#endif
