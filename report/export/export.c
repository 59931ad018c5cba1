/* SPDX-License-Identifier: MIT */
/* export.c: the table of formats. It must not know what they write. */
#include "export/export.h"

const struct export export_table[] = {
#define EXPORT(name, is_for_terminal, function, meaning) { #name, is_for_terminal, function },
#include "export/exports.def"
    { NULL, false, NULL },
};
const char export_names[] = "one of:"
#define EXPORT(name, is_for_terminal, function, meaning) " " #name
#include "export/exports.def"
    ;
