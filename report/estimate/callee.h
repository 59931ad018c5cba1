/* SPDX-License-Identifier: MIT */
/* callee.h: what a user's line calls in code that the user did not write, by name, and the CPU time of that. It must
 * not know how samples are scaled, nor instructions. */
#ifndef PROFPLUG_CALLEE_H
#define PROFPLUG_CALLEE_H

#include "merge/locations.h"
#include "store/map.h"

struct callees {
    struct model *model;
    const struct locations *where;
    struct map names, rows;
    uint32_t name_count;
};

/* Says which samples are the profiler's. Of those in wrappers of the allocator half are the program's, see
 * docs/decisions/sampling.md: they become samples of their own, behind all others. */
void callees_own(struct model *model, struct locations *where);
/* Adds a sample whose line is known, and its time in the user's code and the kernel. */
void callees_add(struct callees *callees, uint32_t sample, double ns);
/* Whether it is a function of stdio for single characters. */
bool callee_is_character(const char *callee);
void callees_close(struct callees *callees); /* sorts the rows and tells the lines where theirs are */

#endif
