/* SPDX-License-Identifier: MIT */
/* match.h: the sites of each program as its runs showed them, and which of them are the same. Must not know what is
 * concluded.
 *
 * Stages are matched by their names from the outermost on, then by their own. Functions: by symbol and file, by symbol
 * and the file's last name, by symbol alone, and where they were renamed, by a shape that no other has. Lines: in
 * functions that were matched, by the order in which they stand, with what each looks like; so a line keeps its partner
 * when others come before it. What is left is looked for in functions that are new or gone, since code moves there. */
#ifndef PROFPLUG_MATCH_H
#define PROFPLUG_MATCH_H

#include "difference/difference.h"
#include "difference/inference.h"
#include "model/model.h"
#include "store/map.h"

/* What a run showed of a site. */
struct observed {
    bool seen;
    bool counted[COUNTERS];
    uint64_t count[COUNTERS];
    bool timed[CLOCKS];
    double ns[CLOCKS], variance[CLOCKS];
    struct value user; /* of CPU, by samples alone: without the error of the clocks that all of a run are scaled to */
    double typical_ns; /* of WALL: what all entries would have taken if they were as the middle half; 0: not known */
    double kernel_ns;
    uint64_t samples;
};

struct observed_site {
    enum difference_kind kind;
    const char *key;  /* within one program */
    const char *name; /* as shown */
    const char *symbol, *file, *callee;
    uint32_t line;
    uint32_t owner; /* the function of a line, the stage around a stage: index of a site; DIFFERENCE_NONE */
    uint64_t shape, code_bytes;
    uint32_t partner;      /* index of a site of the other program; DIFFERENCE_NONE: none */
    struct observed **run; /* by run of the program; NULL: not seen in it */
    size_t run_capacity;
    double cpu_ns; /* sum over the runs */
};

struct observed_program {
    struct observed_site *site;
    size_t site_count, site_capacity;
    struct map by_key;
    size_t runs;
    double cpu_ns; /* sum over the runs */
};

struct difference_observations {
    struct observed_program program[ARMS];
};

/* observe.c: adds a run of a program. */
void observe_model(struct arena *arena, struct observed_program *program, const struct model *model, const char *stage);
/* match.c: sets the partners. */
void match_programs(struct observed_program *old, struct observed_program *new);

#endif
