/* SPDX-License-Identifier: MIT */
/* export.h: the formats of a report, from exports.def. Each sees model.h, screen.h's view and this. */
#ifndef PROFPLUG_EXPORT_H
#define PROFPLUG_EXPORT_H

#include "show/screen.h"

struct export {
    const char *name;
    bool is_for_terminal;        /* short by default */
    void (*write)(FILE *out, const struct model *model, const struct view *view);
};
extern const struct export export_table[];       /* ends with a null name */
extern const char export_names[];
#define EXPORT_NAMES export_names

#define EXPORT(name, is_for_terminal, function, meaning) \
    void function(FILE *out, const struct model *model, const struct view *view);
#include "export/exports.def"

#endif
