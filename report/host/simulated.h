/* SPDX-License-Identifier: MIT */
/* simulated.h: the result of `profplug causal`, as other verbs use it. It must not know how it was found. */
#ifndef PROFPLUG_SIMULATED_H
#define PROFPLUG_SIMULATED_H

#include "model/simulation.h"
#include "store/arena.h"

/* Reads profplug-causal/1. Returns 0, or DIAG_WRONG after one line. */
int simulated_read(const char *path, struct arena *arena, struct simulation *simulation);
#endif
