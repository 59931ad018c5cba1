/* SPDX-License-Identifier: MIT */
/* snapshot.h: snapshots that the program asks for. */
#ifndef PP_SNAPSHOT_H
#define PP_SNAPSHOT_H

#include "rt.h"

/* In any thread, also in a signal handler. */
void pp_snapshot_take(const char *label);
void pp_snapshots_fork_child(void);

#endif
