/* SPDX-License-Identifier: MIT */
/* simulate.h: savings of findings, as far as a simulation knows what their stage is worth. */
#ifndef PROFPLUG_ADVICE_SIMULATE_H
#define PROFPLUG_ADVICE_SIMULATE_H

#include "model/model.h"
#include "model/simulation.h"

/* Narrows the savings of findings in simulated stages, or replaces them where both disagree, and sorts again. */
void advice_simulate(struct model *model, const struct simulation *simulation);
#endif
