/* SPDX-License-Identifier: MIT */
/* code.h: functions, their lines, and what a line calls or stands for. */
#ifndef PROFPLUG_MODEL_CODE_H
#define PROFPLUG_MODEL_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include <profplug/abi/format.h>

#include "model/heap.h"
#include "model/operation.h"
#include "model/value.h"

struct model_function {
    uint32_t id;
    const char *key;                  /* the same in another build: FILE:SYMBOL */
    const char *name, *symbol, *file; /* file is empty when unknown; else absolute where its folder is known */
    const char *label;                /* see namesake.h; NULL: not set */
    uint64_t shape;                   /* see estimate/shape.h; 0: not known */
    uint64_t code_bytes;              /* of its own code and that of its clones; 0: inlined, or not known */
    const char **merged;              /* names of others that the compiler merged with it */
    uint32_t merged_count;
    uint32_t line, module_id; /* 0: unknown */
    uint32_t lambda_column;   /* of a lambda whose line another one shares, as far as it is known; else 0 */
    enum pp_site_kind kind;   /* LOOP and SCOPE: not a function, but a step in the call tree */
    bool has_site;            /* the plugin saw it */
    enum pp_site_mode mode;
    enum pp_site_reason reason;
    bool inlined;    /* it ran only as inlined copies */
    bool has_copies; /* samples hit inlined copies, or GCC split it; calls does not include all of those */
    bool has_lines;  /* a place in it has a line */
    bool wrapper;    /* what it costs is its callers' */
    bool calls_known;
    uint64_t calls, timed_calls, active;
    uint64_t booked_calls; /* calls that timed calls stand for */
    bool head_is_timed;    /* not only a part that GCC split off it */
    /* clocks measured all its calls: inclusive wall time, a recursion counted once */
    bool wall_known;
    uint64_t wall_ns;
    /* CPU time by samples: own, including libraries it calls; and with what it calls, a recursion counted once */
    struct value self, total;
    struct value booked; /* user time that its own samples stand for, before it is scaled to the run's clocks */
    double system_ns; /* part of self that was in the kernel */
    double library_ns;   /* in libraries and headers that it called */
    double remainder_ns; /* part of self that stands on no line */
    double remainder_system_ns; /* the kernel's, of that */
    uint64_t samples, total_samples;
    struct value stalled; /* waits in operations, including what it calls, by call path */
    uint32_t stage;       /* the stage that the function is; MODEL_NONE: none */
    struct model_blocks blocks, mappings, copies, pools, fills;
    struct model_traffic traffic;
};

/* Page faults of a line. */
struct model_faults {
    struct value count; /* `ns` is a number of faults */
    double ns;          /* what they took */
};

struct model_line {
    const char *file;
    uint32_t line, function;
    uint64_t shape;  /* see estimate/shape.h; 0: not known */
    bool hits_known; /* it was compiled with counters */
    /* how often control came from another line, including inlined copies */
    uint64_t hits;
    uint64_t samples, total_samples;
    uint64_t stray_samples;   /* samples on it although it was never reached */
    struct value self, total; /* total includes what was inlined at this line */
    struct value booked;      /* as of a function */
    double system_ns;         /* part of self that was in the kernel */
    double library_ns;
    /* where on the line most CPU time and waits are, as far as one place has more than all others; 0: not known */
    uint32_t column;
    double column_ns; /* by how much */
    struct value stalled; /* as of a function */
    double joined_ns; /* its own waits for the ends of threads, if the lines of these tell what they did */
    double idle_ns;       /* its own waits in calls of a kind in which a pool or an event loop waited at the end */
    struct model_faults faults;
    struct model_blocks blocks, mappings, copies, pools, fills;
    struct model_traffic traffic;
    uint32_t inner; /* the first of its inner places; 0: none */
    /* what the line calls in libraries, headers and wrappers: the first of its rows, the one with most time */
    uint32_t callee, callee_count;
};

/* The name of a function outside of the user's code that a line calls, and the time that it took there. */
struct model_callee {
    uint32_t line;
    const char *name;  /* NULL: it was called through a pointer */
    const char *inner; /* of model.entry: what that called in a library in the end; NULL: the same, or unknown */
    double self_ns, system_ns; /* of the line's self; the part of it in the kernel */
    uint64_t samples;
};

/* A place in a header whose costs stand at the user's line that it was called from, or inlined at. */
struct model_inner {
    uint32_t line, next; /* next: of the same user's line; 0: none */
    double self_ns;
    uint64_t samples;
    struct model_blocks blocks; /* of the heap */
    struct model_traffic traffic;
};

/* Tells the line of so much time at a column of it. */
void line_column_add(struct model_line *line, uint32_t column, double ns);
/* inner.c: the row of an inner line among those of a user's line. Made if there is none; valid until the next one. */
struct model_inner *inner_row(struct model *model, uint32_t line, uint32_t inner);
/* The inner places of a line, those with the largest costs first. Free it. */
const struct model_inner **inner_list(const struct model *model, const struct model_line *line, size_t *count);
/* The callee that has most of what the line spends in libraries; NULL if it has less than half of the line's time. */
const struct model_callee *line_callee(const struct model *model, const struct model_line *line);
const char *mode_name(unsigned mode);
const char *reason_text(unsigned reason);
bool path_is_system(const char *path);   /* a header of the system or of the compiler */
bool path_is_compiled(const char *path); /* another source that the compiler may compile: no assembler's */

#endif
