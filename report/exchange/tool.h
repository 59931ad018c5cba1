/* SPDX-License-Identifier: MIT */
/* tool.h: what `profplug export` writes for other tools, from tools.def. A format sees the model and this: no files,
 * no ELF. Each writes from the first byte to the last, so that a pipe will do. */
#ifndef PROFPLUG_TOOL_H
#define PROFPLUG_TOOL_H

#include <stdio.h>

#include "model/model.h"

struct export_request {
    const struct stack_cost *cost; /* of formats that hold one; NULL: the format's own choice */
    const char *table;             /* of csv */
};

struct export_tool {
    const char *name;
    void (*write)(FILE *out, const struct model *model, const struct export_request *request);
};
extern const struct export_tool export_tools[]; /* ends with a NULL name */
extern const char export_tool_names[];          /* for messages */
extern const char export_table_names[];         /* the tables of csv */
bool export_table_known(const char *name);

#define EXPORT_TOOL(name) \
    void export_##name(FILE *out, const struct model *model, const struct export_request *request);
#include "exchange/tools.def"

/* What a frame costs with all it calls, by frame, from a cost of stacks. Free it. */
double *export_totals(const struct model *model, const struct stack_cost *cost);
/* The first cost that the run has any of; CPU time if there is none. */
const struct stack_cost *export_cost(const struct model *model, const struct export_request *request);
/* Whether a format that can hold all costs holds this one: the one that was asked for, or what the run has any of. */
bool export_cost_held(const struct model *model, const struct export_request *request, const struct stack_cost *cost);
/* The same for formats that draw times alone unless another cost was asked for. */
bool export_time_held(const struct model *model, const struct export_request *request, const struct stack_cost *cost);
double export_sum(const struct model *model, const struct stack_cost *cost);

#endif
