/* SPDX-License-Identifier: MIT */
/* snapshot.h: what there is when the program asks. */
#ifndef PP_SNAPSHOT_H
#define PP_SNAPSHOT_H

#include "rt.h"


/* Any thread, also in a signal's handler. */
void pp_snapshot_take(const char *label);
void pp_snapshots_fork_child(void);

#endif
