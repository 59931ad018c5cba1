/* SPDX-License-Identifier: MIT */
/* regression.h: what became worse than a baseline, for a person, for a build server and for a code host. It must not
 * know how runs were compared. */
#ifndef PROFPLUG_REGRESSION_H
#define PROFPLUG_REGRESSION_H

#include <stdio.h>

#include "difference/difference.h"
#include "show/screen.h"

/* A site that became worse, and where to look. */
struct regression {
    uint32_t site;    /* index */
    bool slower;      /* by its time; else by a count alone */
    const char *file; /* relative to the root where it lies there; empty: not known */
    uint32_t line;
    const char *text; /* one sentence */
    int order;        /* 0: slower by itself, 1: with what is in it, 2: not slower */
    double more_ns;   /* of a run */
    double more_part; /* of counts: new by old */
};

struct regressions {
    const struct difference *difference;
    struct regression *row; /* the worst first */
    size_t count, capacity;
    size_t compared, unclear; /* sites; those with a change that could hide in the errors */
    const char *suspect;      /* of these the one that seems to take most more, in one sentence; NULL: none */
    bool decided;             /* of some site's time it is known whether it changed */
    const char *newest;       /* the new program's run if nobody named one; NULL: named */
    struct arena arena;
};

/* `root`: folder of the repository, or empty. `allowed`: counts may grow by that part. */
void regressions_find(struct regressions *found, const struct difference *difference, const char *root, double allowed);
void regressions_free(struct regressions *found);

/* gate.c: rows of its table: text, markdown, json (profplug-check/1), junit, sarif, gitlab. */
#define REGRESSION_FORMATS "text, markdown, json, junit, sarif or gitlab"
typedef void (*regression_print)(FILE *out, const struct regressions *found, const struct view *view);
regression_print regression_format(const char *name); /* NULL if there is no such format */

#endif
