/* SPDX-License-Identifier: MIT */
/* locations.h: the functions and lines of samples, callsites and call paths. estimate/locate.c finds them; sums over
 * places use them. It must not know how they are found. */
#ifndef PROFPLUG_LOCATIONS_H
#define PROFPLUG_LOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct locate_step {
    uint32_t function, line;
}; /* line: index, MODEL_NONE if unknown */
struct locate_place {
    enum { PLACE_OUTSIDE, PLACE_NO_DEBUG, PLACE_UNKNOWN_LINE, PLACE_KNOWN_LINE } kind;
    bool instrumented;     /* the module of the place is instrumented */
    uint32_t first, count; /* steps, innermost first */
    uint32_t shown;        /* the first step in the user's sources, if it is known; else 0 */
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
#endif
