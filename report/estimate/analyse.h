/* SPDX-License-Identifier: MIT */
/* analyse.h: samples become time of functions and lines, with its error; what is known is told from what is not. */
#ifndef PROFPLUG_ANALYSE_H
#define PROFPLUG_ANALYSE_H

#include "merge/merge.h"

/* Names every sample's place and adds up. The profile gives the modules; the files are opened here, one at a time. */
void analyse(struct model *model, struct names *names, const struct profile *profile);

/* locate.c: where a sample was. */
struct locate_step { uint32_t function, line; };     /* line: index, MODEL_NONE if unknown */
struct locate_place {
    enum { PLACE_OUTSIDE, PLACE_NO_DEBUG, PLACE_UNKNOWN_LINE, PLACE_KNOWN_LINE } kind;
    bool instrumented;           /* the place's module is */
    uint32_t first, count;       /* steps, innermost first */
    uint32_t shown;              /* the first step in the user's sources, if it is known; else 0 */
};
struct locations {
    struct locate_place *place; size_t place_count, place_capacity;
    struct locate_step *step;   size_t step_count, step_capacity;
    uint32_t *of_sample;         /* place of each of the model's samples */
    uint32_t *of_point;          /* and of its points */
    uint32_t *of_path;           /* and of its paths; MODEL_NONE where the module is not instrumented */
};
void locate(struct model *model, struct names *names, const struct profile *profile, struct locations *locations);
void locations_free(struct locations *locations);

void blocks_sum(struct model *model, const struct locations *locations);      /* blocks.c */
void operations_sum(struct model *model, const struct locations *locations);  /* operations.c */

#endif
