/* SPDX-License-Identifier: MIT */
/* loops.h: innermost loops in which the program spends its CPU time, for the rules that judge what the compiler
 * remarked about them. A remark matters only where time is. */
#ifndef PROFPLUG_ADVICE_LOOPS_H
#define PROFPLUG_ADVICE_LOOPS_H

#include "advice/advice.h"

struct advice_loop {
    const struct model_remark *remark; /* its LOOP */
    double cpu_ns;                     /* on its lines, libraries included, inlined copies too */
    double share;                      /* of the run's CPU time, 0 to 1 */
    double steps;                      /* by its counters, or those of lines; negative: they were not counted */
    double entries;                    /* by its counters, those that went round; negative: not counted */
    uint32_t line;                     /* index of the hottest line of its body */
};

/* Loops with 5 % of CPU time or more that no row of advice speaks of yet. *next begins with 0. */
bool loop_next(const struct advice *advice, size_t *next, struct advice_loop *loop);
/* The same of the loop that a remark is about, with the time of the remark's line if that is not in it: a function was
 * inlined. */
bool loop_of(const struct advice *advice, const struct model_remark *about, struct advice_loop *loop);
/* Its first remark of a kind, or NULL. */
const struct model_remark *loop_remark(const struct advice *advice, const struct advice_loop *loop, unsigned kind);
/* Whether the compiler was told to use no vectors for it: by -fno-tree-vectorize, or a level that has none. */
bool loop_vectors_off(const struct advice *advice, const struct advice_loop *loop);
/* One standard error of cpu_ns. */
double loop_sigma(const struct advice_loop *loop);
/* CPU time on the remark's line. */
double remark_line_ns(const struct advice *advice, const struct model_remark *remark);
/* The same without what the line spends in libraries and the kernel: that is no arithmetic of the line. */
double remark_own_ns(const struct advice *advice, const struct model_remark *remark);
/* Index of the line that the remark is about; that of the loop if the remark's line has none. */
uint32_t remark_line(const struct advice *advice, const struct model_remark *remark, const struct advice_loop *loop);
/* The function that the loop's hottest line is in, or NULL. */
const struct model_function *loop_function(const struct advice *advice, const struct advice_loop *loop);
/* Exact calls of that function, if each enters the loop once; negative: not known, inlined, or a loop is around it. */
double loop_calls(const struct advice *advice, const struct advice_loop *loop);

/* Adds a recommendation at the remark's line, or in the loop's body if it is that of the loop: between two parts of the
 * CPU time go. No sample need have met that line. */
struct model_advice *loop_add(struct advice *advice, enum advice_id id, const struct advice_loop *loop,
                              const struct model_remark *remark, double low_cpu_ns, double high_cpu_ns);
/* "1.2 s of CPU time (88 %) on lines 12 to 14" */
const char *loop_time(struct advice *advice, const struct advice_loop *loop);

#endif
