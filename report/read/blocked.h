/* SPDX-License-Identifier: MIT */
/* blocked.h: what threads waited, by the calls that led there. */
#ifndef PROFPLUG_WAITED_H
#define PROFPLUG_WAITED_H

#include "read/extent.h"

bool stalls_take(struct cursor *c, const struct extent *e, struct profile_block *block);
/* Numbers that point at something published after we looked mean "unknown". */
void stalls_settle(struct profile_block *block);

#endif
