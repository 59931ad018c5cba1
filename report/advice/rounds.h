/* SPDX-License-Identifier: MIT */
/* rounds.h: calls and loops that only some rounds of a loop or calls of a function come to, and that take far longer
 * than the other rounds: programs without stages stall there. For the rules of slow entries. */
#ifndef PROFPLUG_ADVICE_ROUNDS_H
#define PROFPLUG_ADVICE_ROUNDS_H

#include "advice/advice.h"

/* Adds rows for those that came once (firstentries), at regular distances (pauses), or else (slowbatches). */
void rounds_ask(struct advice *advice, enum advice_id id);

#endif
