/* SPDX-License-Identifier: MIT */
/* homes.h: where objects are made and destroyed that a function fills which is called there, such as a vector that it
 * is given: it is the caller's loop that is to be changed. By the call tree alone. */
#ifndef PROFPLUG_ADVICE_HOMES_H
#define PROFPLUG_ADVICE_HOMES_H

#include "advice/library.h"

/* For each function the one where its blocks could be done without: itself, or its caller. */
uint32_t *homes_make(const struct advice *advice, const struct library_use *use);
/* What making such an object anew costs with what is filled in: the growing of a vector, which one that is kept does no
 * more, and its end. */
double homes_regrown_ns(const struct model *model, uint32_t caller, uint32_t function);

#endif
