/* SPDX-License-Identifier: MIT */
/* reconcile.h: samples against clocks and hits. Must not know the file's bytes, ELF, DWARF, output. */
#ifndef PROFPLUG_SETTLE_H
#define PROFPLUG_SETTLE_H

#include "merge/locations.h"
#include "model/model.h"

/* Kernel time between samples moves from nodes that by their clocks cannot have had it to those that clearly lack it.
 * If none does, nothing changes. In a node without a sample near that time it becomes a sample without a place, whose
 * count is 0. After kernel_place, before regions_rake. */
void nodes_reconcile(struct model *model, struct locations *where);

/* Takes the time off lines that were never reached, and finds what of each function's time stands on no line. After
 * hits_merge. */
void settle(struct model *model);

#endif
