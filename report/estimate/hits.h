/* SPDX-License-Identifier: MIT */
/* hits.h: how often lines were reached, from counters on some edges of flow graphs. Must not know the file's bytes,
 * ELF, DWARF or output. */
#ifndef PROFPLUG_HITS_H
#define PROFPLUG_HITS_H

#include "merge/merge.h"

/* Computes hits of every line that was compiled with counters. Call it after analyse, which makes the lines that
 * samples hit. */
void hits_merge(struct model *model, struct names *names, const struct profile *profile);

#endif
