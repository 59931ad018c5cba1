/* SPDX-License-Identifier: MIT */
/* witness.h: what the compiler remarked, from the binaries that ran into the model. */
#ifndef PROFPLUG_WITNESS_H
#define PROFPLUG_WITNESS_H

#include "merge/merge.h"

/* Reads the remarks of every instrumented module. Call it when all functions of the model are known. */
void witness_hear(struct model *model, const struct names *names, const struct profile *profile);

#endif
