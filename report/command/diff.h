/* SPDX-License-Identifier: MIT */
/* diff.h: what `diff` and `compare` have in common: options, adding a data file, printing. */
#ifndef PROFPLUG_DIFF_H
#define PROFPLUG_DIFF_H

#include "difference/difference.h"
#include "export/jsondifference.h"
#include "show/changes.h"

typedef void (*difference_print)(FILE *out, const struct difference *difference, const struct view *view);

struct diff_request {
    struct view view;
    struct difference_limits limits;
    difference_print print;
    bool whole, top_given; /* whole: the format is for programs, so all rows */
    const char *output, *stage[ARMS];
    size_t stages;
};

struct diff_request diff_begin(void);
/* Values of options. Each returns 0, or DIAG_WRONG after one line. */
int diff_format_take(struct diff_request *request, const char *value);
int diff_top_take(struct diff_request *request, const char *value);
int diff_limit_take(struct diff_request *request, const char *value);

int diff_add(struct difference *difference, enum difference_arm arm, const char *path, const char *stage);
/* Judges and prints. Returns the exit status. */
int diff_print(struct diff_request *request, struct difference *difference);

#endif
