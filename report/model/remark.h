/* SPDX-License-Identifier: MIT */
/* remark.h: what the compiler knew of the program's loops and statements, as it wrote it into the binaries that ran. It
 * is no measurement. Whoever judges a remark multiplies it with what was measured at its line. Must not know the bytes
 * in which it is written.
 *
 *   const struct model_remark *r;
 *   for (size_t i = 0; (r = remark_at_line(model, file, line, &i));)
 *       if (r->kind == PP_REMARK_COLUMN) ...
 */
#ifndef PROFPLUG_MODEL_REMARK_H
#define PROFPLUG_MODEL_REMARK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <profplug/abi/remark.h>

struct model;

/* Meaning of value, detail and why for each kind: the sentences in remark.def. */
struct model_remark {
    enum pp_remark_kind kind;
    const char *file; /* absolute */
    uint32_t line;
    uint32_t function; /* the first one that it is about, with what was inlined there; MODEL_NONE: it never ran */
    const char *symbol;
    /* the lines of the loop that it is about or stands in; first is 0 outside innermost loops, where it is about the
     * statement alone. Loops that the compiler copied have one row */
    uint32_t loop_first, loop_last;
    /* CPU time on the lines of the loop; outside loops on its line; of UNOPTIMIZED, that of the function */
    double self_ns, self_variance;
    /* of a LOOP whose every copy is counted (loops=auto); entries that went round at least once */
    bool is_counted;
    bool is_inlined; /* of a PIECE: nothing of it stands at its line but a call. Its steps are the rounds around it */
    double entries, steps; /* steps: 0 where its entries alone are counted */
    /* of a LOOP in a nest: how the steps of the nest grow with how often its outermost loop goes round, such as "n^2",
     * over so many sizes from the least to the most; NULL: not known */
    const char *growth;
    double growth_power, growth_least, growth_most, growth_error_percent;
    uint32_t growth_sizes;
    int64_t value;
    const char *detail, *why; /* empty: none */
    const char *text;         /* a clause for people, without a full stop */
};

const char *remark_name(unsigned kind); /* "column" */
/* Whether it is of interest by itself; the others describe a loop for those who judge it. */
bool remark_is_telling(unsigned kind);

/* The next remark at a line, from *next on, which begins with 0; NULL after the last. They are sorted by file, line,
 * loop and kind. */
const struct model_remark *remark_at_line(const struct model *model, const char *file, uint32_t line, size_t *next);
/* The next remark of a kind on the innermost loop with statements from line `first` to `last`. */
const struct model_remark *remark_of_loop(const struct model *model, const char *file, uint32_t first, uint32_t last,
                                          unsigned kind, size_t *next);
/* The innermost loop around a line: its LOOP remark, or NULL. */
const struct model_remark *remark_loop(const struct model *model, const char *file, uint32_t line);
/* "not vectorized: control flow in loop" */
const char *remark_text(struct model *model, const struct model_remark *remark);

#endif
