/* SPDX-License-Identifier: MIT */
/* reconcile.h: samples against hits. Must not know the file's bytes, ELF, DWARF, output. */
#ifndef PROFPLUG_SETTLE_H
#define PROFPLUG_SETTLE_H

#include "model/model.h"

/* Takes the time off lines that were never reached, and finds what of each function's time stands on no line. After
 * hits_merge. */
void settle(struct model *model);

#endif
