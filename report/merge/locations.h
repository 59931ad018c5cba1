/* SPDX-License-Identifier: MIT */
/* locations.h: the functions and lines of samples, callsites and call paths. estimate/locate.c finds them; sums over
 * places use them. It must not know how they are found.
 *
 * Costs of code that users did not write stand at the line of theirs from which it was called, or at which it was
 * inlined. locations_user alone decides which line that is, for all sums and before all output. */
#ifndef PROFPLUG_LOCATIONS_H
#define PROFPLUG_LOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/model.h"

struct locate_step {
    uint32_t function, line; /* line: index, MODEL_NONE if unknown */
    uint32_t column;         /* 0: unknown */
};
struct locate_place {
    enum { PLACE_OUTSIDE, PLACE_NO_DEBUG, PLACE_UNKNOWN_LINE, PLACE_KNOWN_LINE } kind;
    bool instrumented;     /* the module of the place is instrumented */
    uint32_t first, count; /* steps, innermost first */
    uint32_t user;         /* the first step in the user's sources; MODEL_NONE: there is none */
    /* what a call there leads to; NULL: none, or through a pointer. Known: in a library, or where no line is */
    const char *callee;
    const char *unsure;    /* a function in which the call was made, at an unknown line, by a jump; NULL: none */
};
struct locations {
    struct locate_place *place;
    size_t place_count, place_capacity;
    struct locate_step *step;
    size_t step_count, step_capacity;
    uint32_t *of_sample; /* for each of the model's samples, its place */
    uint32_t *of_point;  /* for each point; what jumped on the way to the call is among its steps */
    uint32_t *of_wait;   /* for each stall, the same of the first call on its path; MODEL_NONE as of_path */
    uint32_t *of_path;   /* for each path; MODEL_NONE if its module is not instrumented */
};

/* The step where a user looks for what happened at a place: its first one in the user's sources, otherwise that of the
 * calls on the path that led there (0: unknown). Otherwise the innermost step. NULL: the place has none. */
const struct locate_step *locations_user(const struct model *model, const struct locations *where, uint32_t place,
                                         uint32_t path);
/* The same for a point, which knows the calls that led to it. */
const struct locate_step *locations_user_of_point(const struct model *model, const struct locations *where,
                                                  uint32_t point);
/* The innermost step's line, if it has one and is another line than `user`; else MODEL_NONE. */
uint32_t locations_inner(const struct locations *where, uint32_t place, const struct locate_step *user);
#endif
