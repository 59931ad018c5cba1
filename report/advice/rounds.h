/* SPDX-License-Identifier: MIT */
/* rounds.h: calls that only some rounds of a loop or calls of a function make, and that take far longer than the other
 * rounds: programs without stages stall there. For the rules of slow entries. */
#ifndef PROFPLUG_ADVICE_ROUNDS_H
#define PROFPLUG_ADVICE_ROUNDS_H

#include "advice/advice.h"

/* Adds rows for those that were made once (`once`), or several times. */
void rounds_ask(struct advice *advice, enum advice_id id, bool once);

#endif
