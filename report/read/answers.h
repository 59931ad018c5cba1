/* SPDX-License-Identifier: MIT */
/* answers.h: how long the answers of a target took, taken out of an ANSWERS extent. */
#ifndef PROFPLUG_ANSWERS_H
#define PROFPLUG_ANSWERS_H

#include "read/extent.h"

bool answers_take(struct cursor *c, const struct extent *e, struct profile *p);

#endif
