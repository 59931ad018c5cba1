/* SPDX-License-Identifier: MIT */
/* export.h: the formats of a report, from exports.def. A format sees the model, the view of screen.h and this. */
#ifndef PROFPLUG_EXPORT_H
#define PROFPLUG_EXPORT_H

#include "section/section.h"

struct export
{
    const char *name;
    bool is_for_terminal; /* 15 rows a table by default */
    void (*write)(FILE * out, const struct model *model, const struct view *view);
};
extern const struct export export_table[]; /* ends with a NULL name */
extern const char export_names[];
#define EXPORT_NAMES export_names

#define EXPORT(name, is_for_terminal, function, meaning) \
    void function(FILE *out, const struct model *model, const struct view *view);
#include "export/exports.def"

#endif
